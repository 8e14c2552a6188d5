/* Runs until it is killed. */
#include "abi.h"
static long counter[4];
static void *run(void *unused) {
  ENTER;
  for (long i = 0; BRANCH(1); i++) {
    WRITE(counter[i & 3], READ(counter[(i + 1) & 3]) + i);
    if ((i & 1023) == 0) CALL(sched_yield());
  }
  LEAVE;
  return unused;
}
int main(void) {
  ENTER;
  pthread_t thread;
  __raddle_pthread_create(SITE, &thread, NULL, run, NULL);
  run(NULL);
  LEAVE;
  return 0;
}
