// A counter is taken with one atomic step and given back with another: an update in between is lost.
//@ run: predict --simulate --no-run --check atomicity
//@ verdict: violations
//@ kind: atomicity
//@ exit: 1

#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter = 5;

static void *add_one(void *argument) {
  int seen = atomic_exchange(&counter, 0); //~ atomicity
  atomic_store(&counter, seen + 1);
  return argument;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, add_one, NULL);
  pthread_create(&other, NULL, add_one, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
