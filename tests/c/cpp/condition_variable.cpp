// A queue of one place.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool full;
static int item;

static void put(int value) {
  std::unique_lock<std::mutex> guard(lock);
  changed.wait(guard, [] { return !full; });
  item = value;
  full = true;
  changed.notify_all();
}

static int take() {
  std::unique_lock<std::mutex> guard(lock);
  changed.wait(guard, [] { return full; });
  full = false;
  changed.notify_all();
  return item;
}

int main() {
  std::thread producer([] {
    put(1);
    put(2);
  });
  int first = take(), second = take();
  producer.join();
  assert(first == 1 && second == 2);
}
