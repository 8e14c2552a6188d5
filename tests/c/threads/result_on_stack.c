// A thread returns the address of its own local variable.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static void *compute(void *unused) {
  int result = 42;
  int *volatile address = &result;
  (void)unused;
  return address;
}

int main(void) {
  pthread_t worker;
  void *result;
  pthread_create(&worker, NULL, compute, NULL);
  pthread_join(worker, &result);
  assert(*(int *)result == 42); //~ memory
  return 0;
}
