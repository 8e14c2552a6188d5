// Waits for results with a limit that is often too short. The output tells how often, and the order.
#include <chrono>
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>
static std::mutex m; static unsigned order;
int main() {
  int late = 0;
  for (int r = 0; r < 30; r++) {
    auto f = std::async(std::launch::async, [r] { std::this_thread::sleep_for(std::chrono::microseconds(50 + r % 7 * 60)); std::lock_guard<std::mutex> l(m); order = order * 31 + r; return r; });
    while (f.wait_for(std::chrono::microseconds(100)) != std::future_status::ready) { late++; std::lock_guard<std::mutex> l(m); order = order * 3; }
    f.get();
  }
  std::printf("%d %u\n", late, order);
}
