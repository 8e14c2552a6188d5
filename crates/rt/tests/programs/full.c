/* Writes many events, and goes on when they can no longer be recorded. */
#include "abi.h"
static volatile long x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused) {
  ENTER;
  for (int i = 0; BRANCH(i < 200000); i++) {
    __raddle_pthread_mutex_lock(SITE, &mutex);
    WRITE(x, READ(x) + 1);
    __raddle_pthread_mutex_unlock(SITE, &mutex);
    if ((i & 1023) == 0) CALL(sched_yield());
  }
  LEAVE;
  return unused;
}
int main(void) {
  ENTER;
  pthread_t thread[4];
  for (int i = 0; i < 4; i++) __raddle_pthread_create(SITE, &thread[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++) __raddle_pthread_join(SITE, thread[i], NULL);
  int right = x == 800000;
  LEAVE;
  return right ? 0 : 1;
}
