// Atomic variables of C++.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> counter{0};
static std::atomic<bool> ready{false};
static int data;

int main() {
  std::thread other([] {
    data = 42;
    ready.store(true);
    counter.fetch_add(1);
  });
  counter++;
  if (ready.load())
    assert(data == 42);
  other.join();
  assert(counter == 2);
}
