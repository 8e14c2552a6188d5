// Two threads count under a lock.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <mutex>
#include <thread>

class Counter {
public:
  void count() {
    std::lock_guard<std::mutex> guard(lock);
    value++;
  }
  int get() const { return value; }

private:
  std::mutex lock;
  int value = 0;
};

int main() {
  Counter counter;
  std::thread other([&counter] { counter.count(); });
  counter.count();
  other.join();
  assert(counter.get() == 2);
}
