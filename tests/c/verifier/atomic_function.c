// A function whose name starts with `__VERIFIER_atomic_` is one step.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static int counter;

static void __VERIFIER_atomic_count(void) { counter++; }

static void *count(void *unused) {
  (void)unused;
  __VERIFIER_atomic_count();
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
