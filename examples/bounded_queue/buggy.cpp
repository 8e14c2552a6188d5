// A queue with a fixed number of places: one thread puts jobs in, a pool of workers takes them out.
#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

template <typename T, std::size_t capacity> class BoundedQueue {
public:
  void put(T item) {
    std::unique_lock<std::mutex> guard(mutex);
    while (count == capacity)
      changed.wait(guard);
    items[(first + count) % capacity] = item;
    count++;
    changed.notify_one();
  }

  T take() {
    std::unique_lock<std::mutex> guard(mutex);
    while (count == 0)
      changed.wait(guard);
    T item = items[first];
    first = (first + 1) % capacity;
    count--;
    changed.notify_one();
    return item;
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::array<T, capacity> items{};
  std::size_t first = 0;
  std::size_t count = 0;
};

static BoundedQueue<int, 1> jobs;

static void work() { jobs.take(); }

int main() {
  std::thread first(work), second(work);
  for (int job = 1; job <= 2; job++)
    jobs.put(job);
  first.join();
  second.join();
}
