/* Many threads: all at once, one after the other, detached; each with thread-local data that has destructors. */
#include "abi.h"
static pthread_key_t key;
static volatile long x, destroyed, detached;
static pthread_barrier_t barrier;
static void destroy(void *value) {
  ENTER;
  WRITE(destroyed, READ(destroyed) + 1);
  /* Again in the next round. */
  if ((uintptr_t)value > 1) pthread_setspecific(key, (void *)((uintptr_t)value - 1));
  LEAVE;
}
static void *meet(void *unused) {
  ENTER;
  ADD(x, 1);
  __raddle_pthread_barrier_wait(SITE, &barrier);
  ADD(x, 1);
  LEAVE;
  return unused;
}
static void *with_key(void *unused) {
  ENTER;
  pthread_setspecific(key, (void *)3);
  LEAVE;
  return unused;
}
static void *alone(void *unused) {
  ENTER;
  ADD(detached, 1);
  LEAVE;
  return unused;
}
int main(int argc, char **argv) {
  ENTER;
  int threads = argc > 1 ? atoi(argv[1]) : 500;
  pthread_t *thread = calloc((size_t)threads, sizeof *thread);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 65536);
  pthread_key_create(&key, destroy);
  __raddle_pthread_barrier_init(SITE, &barrier, NULL, (unsigned)threads);
  for (int i = 0; i < threads; i++)
    if (__raddle_pthread_create(SITE, &thread[i], &attributes, meet, NULL)) return 2;
  for (int i = 0; i < threads; i++) __raddle_pthread_join(SITE, thread[i], NULL);
  if (READ(x) != 2 * threads) return 3;
  for (int i = 0; i < 200; i++) {
    __raddle_pthread_create(SITE, &thread[0], &attributes, with_key, NULL);
    __raddle_pthread_join(SITE, thread[0], NULL);
  }
  if (READ(destroyed) != 600) return 4;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < 100; i++) {
    __raddle_pthread_create(SITE, &thread[0], &attributes, alone, NULL);
    __raddle_pthread_create(SITE, &thread[1], NULL, alone, NULL);
    __raddle_pthread_detach(SITE, thread[1]);
  }
  while (BRANCH(READ(detached) < 200)) __raddle_usleep(SITE, 100);
  LEAVE;
  return 0;
}
