// Everybody waits for a flag that nobody sets.
//@ run: live
//@ run: explore --check non-termination
//@ verdict(live): non-terminating
//@ verdict(explore): unsafe
//@ exit: 1
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *work(void *unused) {
  (void)unused;
  while (!ready) //~ non-termination
    ;
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_join(worker, NULL);
  return 0;
}
