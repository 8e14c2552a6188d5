// Nobody waits for the thread, so its result may not be there yet.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int result;

static void *compute(void *unused) {
  (void)unused;
  result = 42;
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, compute, NULL);
  sleep(1);
  assert(result == 42); //~ assertion
  return 0;
}
