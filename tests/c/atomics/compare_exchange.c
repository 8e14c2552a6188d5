// An addition by compare and exchange.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *unused) {
  (void)unused;
  int seen = atomic_load(&counter);
  while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1))
    ;
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
