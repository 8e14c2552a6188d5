// A pool of threads with tasks, some of which throw; all are told in the end. The output tells the order.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
class Pool {
  std::mutex m;
  std::condition_variable more;
  std::deque<std::function<void()>> tasks;
  std::vector<std::thread> workers;
  bool over = false;
  int caught = 0;
  void run() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> lock(m);
        more.wait(lock, [this] { return over || !tasks.empty(); });
        if (tasks.empty()) return;
        task = std::move(tasks.front());
        tasks.pop_front();
      }
      try {
        task();
      } catch (const std::runtime_error &) {
        std::lock_guard<std::mutex> lock(m);
        caught++;
      }
    }
  }
public:
  explicit Pool(int count) {
    for (int i = 0; i < count; i++) workers.emplace_back([this] { run(); });
  }
  void post(std::function<void()> task) {
    {
      std::lock_guard<std::mutex> lock(m);
      tasks.push_back(std::move(task));
    }
    more.notify_one();
  }
  int finish() {
    {
      std::lock_guard<std::mutex> lock(m);
      over = true;
    }
    more.notify_all();
    for (auto &worker : workers) worker.join();
    return caught;
  }
};
static std::mutex order_lock;
static unsigned order;
int main() {
  Pool pool(5);
  for (int i = 0; i < 200; i++)
    pool.post([i] {
      {
        std::lock_guard<std::mutex> lock(order_lock);
        order = order * 31 + i;
      }
      if (i % 9 == 0) throw std::runtime_error("task");
    });
  int caught = pool.finish();
  std::printf("%u %d\n", order, caught);
}
