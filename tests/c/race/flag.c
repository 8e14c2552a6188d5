// A plain variable as a flag between threads, `volatile` or not.
//@ run: explore --check race
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static volatile int stop;

static void *work(void *unused) {
  (void)unused;
  while (!stop)
    ;
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  stop = 1; //~ data-race
  pthread_join(worker, NULL);
  return 0;
}
