/* Threads are cancelled wherever they are: waiting, computing with asynchronous cancellation, waiting for the turn. */
#include "abi.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static volatile long x, y, cleaned;
static sem_t never;
static void cleanup(void *unused) {
  ENTER;
  WRITE(cleaned, READ(cleaned) + 1);
  __raddle_pthread_mutex_unlock(SITE, &mutex);
  LEAVE;
}
static void *waits(void *unused) {
  ENTER;
  __raddle_pthread_mutex_lock(SITE, &mutex);
  pthread_cleanup_push(cleanup, NULL);
  for (;;) __raddle_pthread_cond_wait(SITE, &cond, &mutex);
  pthread_cleanup_pop(0);
  LEAVE;
  return NULL;
}
static void *on_semaphore(void *unused) {
  ENTER;
  __raddle_sem_wait(SITE, &never);
  LEAVE;
  return NULL;
}
static void *computes(void *unused) {
  ENTER;
  CALL(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL));
  /* It may be cancelled after the access and before that is recorded, so nobody may read this. */
  for (long i = 0;; i++) WRITE(y, i);
  LEAVE;
  return NULL;
}
static void *tests(void *unused) {
  ENTER;
  for (;;) {
    WRITE(x, READ(x) + 1);
    CALL(pthread_testcancel());
  }
  LEAVE;
  return NULL;
}
int main(void) {
  ENTER;
  sem_init(&never, 0, 0);
  void *(*bodies[])(void *) = {waits, on_semaphore, computes, tests};
  for (int round = 0; round < 8; round++) {
    pthread_t thread[8];
    for (int i = 0; i < 8; i++) __raddle_pthread_create(SITE, &thread[i], NULL, bodies[i % 4], NULL);
    CALL(usleep(300 * (round % 4)));
    for (int i = 0; i < 8; i++) CALL(pthread_cancel(thread[i]));
    for (int i = 0; i < 8; i++) {
      void *result;
      __raddle_pthread_join(SITE, thread[i], &result);
      if (result != PTHREAD_CANCELED) return 2;
    }
  }
  LEAVE;
  return 0;
}
