// The flag is set: a fair scheduler lets the thread that sets it run.
//@ run: live
//@ run: explore --check non-termination
//@ verdict(live): none-within-bounds
//@ verdict(explore): safe
//@ exit: 0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *work(void *unused) {
  (void)unused;
  while (!ready)
    ;
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  ready = 1;
  pthread_join(worker, NULL);
  return 0;
}
