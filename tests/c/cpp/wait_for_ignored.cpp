// A wait with a limit whose result nobody looks at: it may have been too short.
//@ run: explore
//@ verdict: unsafe
//@ kind: assertion
//@ exit: 1
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
    changed.wait_for(guard, std::chrono::milliseconds(10), [] { return ready; });
    assert(ready); //~ assertion
  }
  worker.join();
}
