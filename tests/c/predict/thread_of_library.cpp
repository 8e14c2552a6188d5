// What a std::thread runs is no transaction, though procedures of the library call it. What it calls itself is one.
//@ run: predict --simulate --no-run --check atomicity
//@ verdict: violations
//@ kind: atomicity
#include <mutex>
#include <thread>

static int tickets = 2, sold;
static std::mutex lock;

static void sell() {
  std::lock_guard<std::mutex> guard(lock);
  sold++;
}

static int left() {
  std::lock_guard<std::mutex> guard(lock);
  return tickets;
}

static void take() {
  std::lock_guard<std::mutex> guard(lock);
  tickets--;
}

static void buy() {
  if (left() > 0)
    take();
}

int main() {
  std::thread first([] { sell(); sell(); }), second([] { sell(); sell(); });
  first.join();
  second.join();
  std::thread third([] { buy(); }), fourth([] { buy(); });
  third.join();
  fourth.join();
}
