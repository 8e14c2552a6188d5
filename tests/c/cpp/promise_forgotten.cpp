// A promise that one way does not keep: who waits for it waits for ever.
//@ run: explore
//@ verdict: unsafe
//@ kind: deadlock
//@ exit: 1
#include <atomic>
#include <future>
#include <thread>

static std::atomic<bool> stop;
static std::promise<int> promise;

int main() {
  auto result = promise.get_future();
  std::thread worker([] {
    if (!stop)
      promise.set_value(1);
  });
  stop = true;
  result.get();
  worker.join();
}
