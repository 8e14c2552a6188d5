// Several producers and consumers with a queue that is soon full. The output tells the order.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>
static std::mutex m;
static std::condition_variable not_empty, not_full;
static std::deque<int> queue;
static long order;
static int producing = 3;
static void produce(int id) {
  for (int i = 0; i < 100; i++) {
    std::unique_lock<std::mutex> lock(m);
    not_full.wait(lock, [] { return queue.size() < 4; });
    queue.push_back(id * 100 + i);
    not_empty.notify_one();
  }
  std::lock_guard<std::mutex> lock(m);
  if (--producing == 0) not_empty.notify_all();
}
static void consume() {
  for (;;) {
    std::unique_lock<std::mutex> lock(m);
    not_empty.wait(lock, [] { return !queue.empty() || producing == 0; });
    if (queue.empty()) return;
    order = (order * 31 + queue.front()) % 1000003;
    queue.pop_front();
    not_full.notify_one();
  }
}
int main() {
  std::vector<std::thread> all;
  for (int i = 0; i < 3; i++) all.emplace_back(produce, i);
  for (int i = 0; i < 3; i++) all.emplace_back(consume);
  for (auto &t : all) t.join();
  std::printf("%ld\n", order);
}
