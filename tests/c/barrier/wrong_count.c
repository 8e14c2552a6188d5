// The barrier waits for three threads, but there are two.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *unused) {
  (void)unused;
  pthread_barrier_wait(&barrier); //~ deadlock
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_barrier_destroy(&barrier);
  return 0;
}
