// A lock without a guard: an exception leaves it locked.
//@ run: explore
//@ verdict: unsafe
//@ kind: deadlock
//@ exit: 1
#include <mutex>
#include <thread>

static std::mutex lock;
static int count;

static void update(bool fails) {
  lock.lock();
  if (fails)
    throw 1;
  count++;
  lock.unlock();
}

int main() {
  std::thread worker([] {
    try {
      update(true);
    } catch (...) {
    }
  });
  update(false);
  worker.join();
}
