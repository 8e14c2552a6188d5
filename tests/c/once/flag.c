// A flag instead of `pthread_once`: both threads initialise.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static int initialised, calls;

static void *work(void *unused) {
  (void)unused;
  if (!initialised) {
    initialised = 1;
    calls++;
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(calls == 1); //~ assertion
  return 0;
}
