// Peterson's algorithm with the first two lines exchanged.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static atomic_int inside;

static void *enter(void *argument) {
  long me = (long)argument;
  turn = (int)(1 - me);
  wants[me] = 1;
  while (wants[1 - me] && turn == 1 - me)
    ;
  inside++;
  assert(inside == 1); //~ assertion
  inside--;
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, enter, (void *)1);
  enter((void *)0);
  pthread_join(other, NULL);
  return 0;
}
