// A barrier that nobody passes cannot be made.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

int main(void) {
  pthread_barrier_t barrier;
  printf("%d\n", pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
  printf("%d\n", pthread_barrier_init(&barrier, NULL, 1));
  printf("%d\n", pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
  printf("%d\n", pthread_barrier_destroy(&barrier));
  return 0;
}
