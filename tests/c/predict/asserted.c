// The assertion holds in the run, and in C it is a branch around a call: no op that could fail is in the run.
//@ run: predict --simulate --no-run --check assertion
//@ verdict: violations
//@ kind: assertion
//@ exit: 1

#include <assert.h>
#include <pthread.h>

static int tickets;

static void *sell(void *arg) {
  int seen = tickets;
  tickets = seen + 1;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, sell, NULL);
  pthread_create(&second, NULL, sell, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(tickets == 2);
}
