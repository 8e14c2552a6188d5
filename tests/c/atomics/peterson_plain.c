// Peterson's algorithm with plain variables: right if every step is seen by all in the same order, but a data race in C.
//@ run(plain): explore
//@ run(race): explore --check race
//@ verdict(plain): safe
//@ verdict(race): unsafe
//@ kind(race): data-race
#include <assert.h>
#include <pthread.h>

static int wants_first, wants_second, turn;
static int counter;

static void *second(void *unused) {
  (void)unused;
  wants_second = 1;
  turn = 1;
  while (wants_first && turn == 1)
    ;
  counter++;
  wants_second = 0;
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, second, NULL);
  wants_first = 1;
  turn = 2;
  while (wants_second && turn == 2) //~(race) data-race
    ;
  counter++;
  wants_first = 0;
  pthread_join(other, NULL);
  assert(counter == 2);
  return 0;
}
