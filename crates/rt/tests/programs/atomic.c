/* Atomic sections that are longer than others are ready to wait. */
#include "abi.h"
static volatile long x;
static void *work(void *unused) {
  ENTER;
  for (int i = 0; i < 10; i++) {
    __raddle_raddle_atomic_begin(SITE);
    for (int k = 0; BRANCH(k < 40000); k++) WRITE(x, READ(x) + 1);
    __raddle_raddle_atomic_end(SITE);
  }
  LEAVE;
  return unused;
}
int main(void) {
  ENTER;
  pthread_t thread[3];
  for (int i = 0; i < 3; i++) __raddle_pthread_create(SITE, &thread[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) __raddle_pthread_join(SITE, thread[i], NULL);
  int right = x == 1200000;
  LEAVE;
  return right ? 0 : 1;
}
