/* Threads count under a mutex, with an atomic counter beside it. */
#include "abi.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counter, atomic_counter;
static int rounds = 1000;
static void *count(void *unused) {
  ENTER;
  for (int i = 0; BRANCH(i < rounds); i++) {
    __raddle_pthread_mutex_lock(SITE, &mutex);
    WRITE(counter, READ(counter) + 1);
    __raddle_pthread_mutex_unlock(SITE, &mutex);
    ADD(atomic_counter, 1);
  }
  LEAVE;
  return unused;
}
int main(int argc, char **argv) {
  ENTER;
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  if (argc > 2) rounds = atoi(argv[2]);
  pthread_t *thread = calloc((size_t)threads, sizeof *thread);
  for (int i = 0; i < threads; i++) {
    if (__raddle_pthread_create(SITE, &thread[i], NULL, count, NULL)) return 3;
  }
  for (int i = 0; i < threads; i++) __raddle_pthread_join(SITE, thread[i], NULL);
  int right = READ(counter) == (long)threads * rounds && READ(atomic_counter) == (long)threads * rounds;
  LEAVE;
  return right ? 0 : 1;
}
