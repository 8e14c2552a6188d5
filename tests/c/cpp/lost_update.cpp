// Two threads of C++ count without a lock.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <cassert>
#include <thread>

static int counter;

static void count() { counter++; }

int main() {
  std::thread first(count), second(count);
  first.join();
  second.join();
  assert(counter == 2); //~ assertion
}
