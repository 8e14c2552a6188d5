// A thread that is joined before it goes out of scope.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <thread>

static int work_done;

int main() {
  {
    std::thread worker([] { work_done = 1; });
    worker.join();
  }
  return work_done - 1;
}
