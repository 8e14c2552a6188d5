// Threads of C++: the library starts them, which is not instrumented. Thread-local objects have destructors; exceptions pass.
#include "abi.h"
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
static long x, destroyed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct Local {
  long value = 0;
  ~Local() {
    ENTER;
    ADD(destroyed, value);
    LEAVE;
  }
};
static thread_local Local local;
static void thrower() {
  ENTER;
  if (__raddle_mode) __raddle_call(SITE);
  throw std::runtime_error("thrown");
}
static void work() {
  ENTER;
  local.value = 1;
  for (int i = 0; BRANCH(i < 200); i++) {
    __raddle_pthread_mutex_lock(SITE, &mutex);
    WRITE(x, READ(x) + 1);
    __raddle_pthread_mutex_unlock(SITE, &mutex);
    try {
      thrower();
    } catch (const std::exception &) {
      if (__raddle_mode) __raddle_back(SITE, 0);
    }
  }
  LEAVE;
}
int main() {
  ENTER;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; i++) CALL(threads.emplace_back(work));
  for (auto &thread : threads) CALL(thread.join());
  bool right = READ(x) == 1200 && READ(destroyed) == 6;
  LEAVE;
  return right ? 0 : 1;
}
