// A thread that nobody has joined uses what is destroyed after `main`.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <cassert>
#include <pthread.h>

struct Register {
  ~Register() { open = false; }
  bool open = true;
};

static Register all;

static void *use(void *) {
  assert(all.open); //~ assertion
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, use, nullptr);
  return 0;
}
