// Locks that are waited for with a limit: sometimes it is too short.
//@ run: explore
//@ verdict: unsafe
//@ kind: assertion
//@ exit: 1
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::timed_mutex lock;
static std::shared_timed_mutex shared;
static int count;
static int seen;

int main() {
  std::thread worker([] {
    std::lock_guard<std::timed_mutex> guard(lock);
    std::lock_guard<std::shared_timed_mutex> alone(shared);
    count++;
  });
  if (lock.try_lock_for(std::chrono::milliseconds(5))) {
    count++;
    lock.unlock();
  }
  if (shared.try_lock_shared_for(std::chrono::milliseconds(5))) {
    seen = count;
    shared.unlock_shared();
  }
  worker.join();
  assert(count == 1 || count == 2);
  assert(seen <= count);
  assert(count == 2); //~ assertion
}
