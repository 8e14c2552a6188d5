// Two atomic steps are not one.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> tickets{1};

static void buy() {
  if (tickets.load() > 0)
    tickets.fetch_sub(1);
}

int main() {
  std::thread other(buy);
  buy();
  other.join();
  assert(tickets.load() >= 0); //~ assertion
}
