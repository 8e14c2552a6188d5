// Exceptions among threads, also out of a function that is called once; recursive and timed locks.
#include <mutex>
#include <thread>
#include <map>
#include <string>
#include <memory>
#include <cstdio>
#include <stdexcept>
static std::recursive_mutex m;
static std::timed_mutex tm_;
static std::map<std::string, int> all;
static thread_local std::string name;
static std::once_flag o;
static int fail() {
  throw std::runtime_error("x");
}
int main() {
  auto work = [](int i) {
    name = "t" + std::to_string(i);
    for (int k = 0; k < 50; k++) {
      std::lock_guard a(m);
      std::lock_guard b(m);
      all[name + std::to_string(k)] += i;
      try {
        fail();
      } catch (const std::exception &e) {
        all["caught"]++;
      }
    }
    try {
      std::call_once(o, [] { throw 1; });
    } catch (int) {
    }
    if (tm_.try_lock_for(std::chrono::milliseconds(500))) tm_.unlock();
  };
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
  std::printf("%zu %d\n", all.size(), all["caught"]);
  std::shared_ptr<int> s = std::make_shared<int>(4);
  std::weak_ptr<int> w = s;
  std::thread c([s]() mutable { s.reset(); });
  c.join();
  s.reset();
  std::printf("%d\n", w.expired());
}
