/* Threads that wait for each other by looking again and again, with nothing that blocks. */
#include "abi.h"
static volatile int turn;
static void *play(void *me) {
  ENTER;
  for (int i = 0; i < 5; i++) {
    while (BRANCH(READ(turn) != (int)(intptr_t)me)) {}
    WRITE(turn, ((int)(intptr_t)me + 1) % 3);
  }
  LEAVE;
  return NULL;
}
int main(void) {
  ENTER;
  pthread_t thread[3];
  for (intptr_t i = 0; i < 3; i++) __raddle_pthread_create(SITE, &thread[i], NULL, play, (void *)i);
  for (int i = 0; i < 3; i++) __raddle_pthread_join(SITE, thread[i], NULL);
  LEAVE;
  return 0;
}
