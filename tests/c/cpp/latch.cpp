// What a latch waits for has happened when it lets go.
//@ run: explore -std=c++20
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <latch>
#include <thread>

static std::latch done(1);
static int result;

int main() {
  std::thread worker([] {
    result = 5;
    done.count_down();
  });
  done.wait();
  assert(result == 5);
  worker.join();
}
