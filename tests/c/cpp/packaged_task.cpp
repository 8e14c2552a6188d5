// A task that another thread runs.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::packaged_task<int(int)> task([](int number) { return number + 1; });
  auto result = task.get_future();
  std::thread worker(std::move(task), 4);
  assert(result.get() == 5);
  worker.join();
}
