// Results of tasks: there when they are asked for.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <future>

static int square(int number) { return number * number; }

int main() {
  auto result = std::async(std::launch::async, square, 3);
  assert(result.get() == 9);
}
