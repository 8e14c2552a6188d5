// Started threads as tasks: a few delays are enough.
//@ run: async
//@ run: explore
//@ verdict(async): violation
//@ verdict(explore): unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static int counter;

static void *count(void *unused) {
  (void)unused;
  int seen = counter;
  counter = seen + 1;
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(counter == 2); //~ assertion
  return 0;
}
