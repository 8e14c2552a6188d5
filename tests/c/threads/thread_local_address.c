// The address of a thread-local variable is given to another thread.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine;

static void *reset(void *argument) {
  int *theirs = argument;
  *theirs = 0;
  assert(mine == 0);
  return NULL;
}

int main(void) {
  pthread_t other;
  mine = 1;
  pthread_create(&other, NULL, reset, &mine);
  assert(mine == 1); //~ assertion
  pthread_join(other, NULL);
  return 0;
}
