// Five hundred threads at a time.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>
static std::mutex m;
static std::condition_variable all;
static int here, sum;
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 500; i++)
    threads.emplace_back([i] {
      std::unique_lock<std::mutex> lock(m);
      sum += i;
      if (++here == 500) all.notify_all();
      all.wait(lock, [] { return here == 500; });
    });
  for (auto &thread : threads) thread.join();
  std::printf("%d\n", sum);
}
