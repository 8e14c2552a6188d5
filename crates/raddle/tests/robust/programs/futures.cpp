// A chain of futures, waits for them with a limit, and one that fails. The output tells the order.
#include <chrono>
#include <cstdio>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
static std::mutex m;
static unsigned order;
static int step(std::shared_future<int> before, int i) {
  int value = before.get();
  std::lock_guard<std::mutex> lock(m);
  order = order * 31 + i;
  return value + i;
}
int main() {
  std::promise<int> first;
  std::vector<std::shared_future<int>> chain{first.get_future().share()};
  for (int i = 1; i <= 20; i++)
    chain.push_back(std::async(std::launch::async, step, chain[i / 2], i).share());
  int late = 0;
  while (chain[20].wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    if (++late == 3) first.set_value(1);
  int sum = 0;
  for (auto &each : chain) sum += each.get();
  auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
  try { failing.get(); } catch (const std::runtime_error &error) { sum++; }
  std::printf("%d %u %d\n", sum, order, late);
}
