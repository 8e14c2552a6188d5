// One value at a time goes from a thread to another one, which adds it up in two steps that main may come between.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
static std::mutex m;
static std::condition_variable changed;
static int full, value, sum;
static void add(int more) {
  std::unique_lock<std::mutex> lock(m);
  int before = sum;
  lock.unlock();
  lock.lock();
  sum = before + more;
}
int main() {
  std::thread producer([] {
    for (int i = 0; i < 3; i++) {
      std::unique_lock<std::mutex> lock(m);
      while (full) changed.wait(lock);
      value = i;
      full = 1;
      changed.notify_all();
    }
  });
  std::thread consumer([] {
    for (int i = 0; i < 3; i++) {
      std::unique_lock<std::mutex> lock(m);
      while (!full) changed.wait(lock);
      int more = value;
      full = 0;
      changed.notify_one();
      lock.unlock();
      add(more);
    }
  });
  producer.join();
  add(10);
  consumer.join();
  std::puts("done");
}
