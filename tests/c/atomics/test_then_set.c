// A spin lock that tests and sets in two steps.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool busy;
static int counter;

static void *count(void *unused) {
  (void)unused;
  while (atomic_load(&busy))
    ;
  atomic_store(&busy, 1);
  counter++;
  atomic_store(&busy, 0);
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, count, NULL);
  count(NULL);
  pthread_join(other, NULL);
  assert(counter == 2); //~ assertion
  return 0;
}
