// `std::call_once`: one call, and all wait for it.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int value;

static void use() {
  std::call_once(once, [] { value += 7; });
  assert(value == 7);
}

int main() {
  std::thread other(use);
  use();
  other.join();
}
