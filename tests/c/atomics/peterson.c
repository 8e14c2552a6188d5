// Peterson's algorithm with atomic variables.
//@ run: explore
//@ run(race): explore --check race
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int counter;

static void *enter(void *argument) {
  long me = (long)argument;
  atomic_store(&wants[me], 1);
  atomic_store(&turn, (int)(1 - me));
  while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me)
    ;
  counter++;
  atomic_store(&wants[me], 0);
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
