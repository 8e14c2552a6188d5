// A wait without a condition: the notification can come before it.
//@ run: explore
//@ verdict: unsafe
//@ kind: deadlock
//@ exit: 1
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable ready;

int main() {
  std::thread producer([] {
    std::lock_guard<std::mutex> guard(lock);
    ready.notify_one();
  });
  {
    std::unique_lock<std::mutex> guard(lock);
    ready.wait(guard); //~ deadlock
  }
  producer.join();
}
