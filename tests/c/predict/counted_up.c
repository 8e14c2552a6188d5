// Three threads increment a counter without a lock, and each then looks whether it is positive. Orders and states are too many to be listed,
// but all values that the counter can have are.
//@ run(positive): predict --simulate --no-run --check assertion
//@ verdict(positive): none
//@ exit(positive): 0
//@ run(negative): predict --simulate --no-run --check assertion -DFIRST=-1 -DROUNDS=3
//@ verdict(negative): violations
//@ kind(negative): assertion
//@ exit(negative): 1

#include <assert.h>
#include <pthread.h>

#ifndef FIRST
#define FIRST 0
#define ROUNDS 60
#endif

static int counter = FIRST;

static void *count_up(void *argument) {
  for (int round = 0; round < ROUNDS; round++)
    counter++;
  assert(counter > 0); //~(negative) assertion
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, count_up, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
