// A wait with a limit: what it returns tells whether what was waited for is there.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready;

int main() {
  std::thread worker([] {
    std::lock_guard<std::mutex> guard(lock);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock<std::mutex> guard(lock);
    bool there = changed.wait_for(guard, std::chrono::milliseconds(10), [] { return ready; });
    assert(there == ready);
  }
  worker.join();
}
