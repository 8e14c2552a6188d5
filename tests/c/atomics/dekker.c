// Dekker's algorithm.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool wants[2];
static atomic_int turn;
static int counter;

static void *enter(void *argument) {
  long me = (long)argument, you = 1 - me;
  wants[me] = 1;
  while (wants[you]) {
    if (turn != me) {
      wants[me] = 0;
      while (turn != me)
        ;
      wants[me] = 1;
    }
  }
  counter++;
  turn = (int)you;
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, enter, (void *)1);
  enter((void *)0);
  pthread_join(other, NULL);
  assert(counter == 2);
  return 0;
}
