// A pool of threads, with a queue of function objects. Without -DFIXED, a worker that is told to stop leaves what is still in the queue.
//@ run(lost): explore --no-spurious-wakeups
//@ run(fixed): explore --no-spurious-wakeups -DFIXED
//@ verdict(lost): unsafe
//@ verdict(fixed): safe
//@ exit(lost): 1
//@ exit(fixed): 0
//@ kind(lost): assertion
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int count) {
    for (int i = 0; i < count; i++)
      workers.emplace_back([this] { work(); });
  }

  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(lock);
      stop = true;
    }
    changed.notify_all();
    for (std::thread &worker : workers)
      worker.join();
  }

  void submit(std::function<void()> task) {
    {
      std::lock_guard<std::mutex> guard(lock);
      tasks.push(std::move(task));
    }
    changed.notify_one();
  }

private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this] { return stop || !tasks.empty(); });
#ifdef FIXED
        if (tasks.empty())
          return;
#else
        if (stop)
          return;
#endif
        task = std::move(tasks.front());
        tasks.pop();
      }
      task();
    }
  }

  std::queue<std::function<void()>> tasks;
  std::mutex lock;
  std::condition_variable changed;
  std::vector<std::thread> workers;
  bool stop = false;
};

int main() {
  std::mutex lock;
  int done = 0;
  {
    Pool pool(1);
    pool.submit([&] {
      std::lock_guard<std::mutex> guard(lock);
      done++;
    });
  }
  assert(done == 1); //~(lost) assertion
}
