// A section between `__VERIFIER_atomic_begin` and `__VERIFIER_atomic_end` is one step.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int counter;

static void *count(void *unused) {
  (void)unused;
  __VERIFIER_atomic_begin();
  counter++;
  __VERIFIER_atomic_end();
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
