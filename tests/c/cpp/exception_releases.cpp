// A lock is released by an exception that is caught outside.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int count;

static void update(bool fails) {
  std::lock_guard<std::mutex> guard(lock);
  if (fails)
    throw 1;
  count++;
}

int main() {
  std::thread worker([] {
    try {
      update(true);
    } catch (int) {
      update(false);
    }
  });
  update(false);
  worker.join();
  assert(count == 2);
}
