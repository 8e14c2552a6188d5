// An assumption inside an atomic section: the section waits until it holds.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int busy, counter;

static void __VERIFIER_atomic_acquire(void) {
  __VERIFIER_assume(busy == 0);
  busy = 1;
}

static void *count(void *unused) {
  (void)unused;
  __VERIFIER_atomic_acquire();
  counter++;
  busy = 0;
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, count, NULL);
  count(NULL);
  pthread_join(other, NULL);
  assert(counter == 2);
  return 0;
}
