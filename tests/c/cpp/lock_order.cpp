// Two locks in different orders.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <mutex>
#include <thread>

static std::mutex accounts, journal;

static void pay() {
  std::lock_guard<std::mutex> a(accounts);
  std::lock_guard<std::mutex> j(journal);
}

static void audit() {
  std::lock_guard<std::mutex> j(journal);
  std::lock_guard<std::mutex> a(accounts); //~ deadlock
}

int main() {
  std::thread payer(pay);
  audit();
  payer.join();
}
