// Synchronization of C++20, coroutines, futures.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <vector>
static int plain;
static std::atomic<int> phase, word;
static std::counting_semaphore<3> slots(3);
static std::mutex m;
static std::condition_variable_any cv;
static std::shared_mutex sm;
static std::atomic_flag flag;
struct Task {
  struct promise_type {
    int value = 0;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int x) {
      value = x;
      plain += x;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> h;
};
static Task count(int n) {
  for (int i = 0; i < n; i++) co_yield i;
}
int main() {
  int seen = 0;
  {
    std::jthread j([&](std::stop_token s) {
      std::unique_lock l(m);
      cv.wait(l, s, [] { return false; });
      seen = s.stop_requested();
    });
  }
  std::barrier b(4, []() noexcept { phase++; });
  std::latch done(4);
  std::vector<std::jthread> t;
  for (int i = 0; i < 4; i++)
    t.emplace_back([&] {
      for (int r = 0; r < 50; r++) {
        b.arrive_and_wait();
        slots.acquire();
        {
          std::scoped_lock l(m);
          plain++;
        }
        slots.release();
        std::shared_lock s(sm);
      }
      done.count_down();
      word.wait(0);
      flag.wait(false);
    });
  done.wait();
  word = 1;
  word.notify_all();
  flag.test_and_set();
  flag.notify_all();
  t.clear();
  auto f = std::async(std::launch::async, [] {
    Task c = count(10);
    while (!c.h.done()) c.h.resume();
    c.h.destroy();
    return 3;
  });
  std::promise<int> p;
  auto g = p.get_future();
  std::thread q([&] {
    try {
      throw 5;
    } catch (...) {
      p.set_exception(std::current_exception());
    }
  });
  q.join();
  int caught = 0;
  try {
    g.get();
  } catch (int e) {
    caught = e;
  }
  std::printf("%d %d %d %d %d\n", seen, phase.load(), f.get(), plain, caught);
}
