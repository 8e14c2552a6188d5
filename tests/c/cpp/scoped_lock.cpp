// A lock that takes several mutexes gives back those that it has when it does not get all, and tries again. The standard promises that it
// gets them in the end, so that is no livelock; a program that does the same by itself may have one.
//@ run: explore --std c++17 --check assertion --check deadlock --check non-termination
//@ verdict: safe
//@ exit: 0

#include <cassert>
#include <mutex>
#include <thread>

static std::mutex left, right;
static int count;

static void one() {
  std::scoped_lock both(left, right);
  count++;
}

static void two() {
  std::scoped_lock both(right, left);
  count++;
}

int main() {
  std::thread first(one), second(two);
  first.join();
  second.join();
  assert(count == 2);
  return 0;
}
