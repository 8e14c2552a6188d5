// A channel that two threads share. The room that `std::make_shared` makes it in is an array of bytes for the compiler.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

struct Channel {
  std::mutex lock;
  std::condition_variable filled;
  bool full = false;
  int value = 0;

  void send(int sent) {
    std::lock_guard<std::mutex> guard(lock);
    value = sent;
    full = true;
    filled.notify_one();
  }

  int receive() {
    std::unique_lock<std::mutex> guard(lock);
    filled.wait(guard, [this] { return full; });
    return value;
  }
};

int main() {
  auto channel = std::make_shared<Channel>();
  std::thread sender([channel] { channel->send(41); });
  assert(channel->receive() == 41);
  sender.join();
}
