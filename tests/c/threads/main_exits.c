// The first thread ends itself; the others go on.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static int value;

static void *check(void *unused) {
  (void)unused;
  assert(value == 0); //~ assertion
  return NULL;
}

int main(void) {
  pthread_t checker;
  pthread_create(&checker, NULL, check, NULL);
  value = 1;
  pthread_exit(NULL);
}
