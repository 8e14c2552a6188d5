// Threads that write to `std::cout`. The number that they write is behind a lock, and so is what they count.
//@ run(locked): explore
//@ run(broken): explore -DBROKEN
//@ verdict(locked): safe
//@ verdict(broken): unsafe
#include <cassert>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static int count;

static void work(int id) {
#ifndef BROKEN
  std::lock_guard<std::mutex> guard(lock);
#endif
  std::cout << "thread " << id << ": " << std::setw(3) << std::hex << ++count << '\n' << std::flush;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++)
    threads.emplace_back(work, i);
  for (auto &thread : threads)
    thread.join();
  std::cerr << count << " " << 0.5 << " " << true << " " << std::this_thread::get_id() << std::endl;
  assert(count == 2); //~(broken) assertion
  return 0;
}
