// A destructor that runs when a thread ends.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <cassert>
#include <pthread.h>

static int left;

struct Mark {
  ~Mark() { left = number; }
  int number = 0;
};

static thread_local Mark mark;

static void *work(void *) {
  mark.number = 1;
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, work, nullptr);
  pthread_join(thread, nullptr);
  assert(left == 0);
  return 0;
}
