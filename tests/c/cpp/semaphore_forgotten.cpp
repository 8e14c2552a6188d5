// Nobody releases the semaphore: the thread that waits for it is blocked for ever, and so is the one that waits for the thread.
//@ run: explore -std=c++20
//@ verdict: unsafe
//@ kind: deadlock
//@ exit: 1
#include <semaphore>
#include <thread>

static std::binary_semaphore ready(0);

int main() {
  std::thread waiting([] { ready.acquire(); });
  waiting.join();
}
