// Weaker orders are accepted and taken as sequentially consistent. On a machine this can fail; the report says what was
// assumed.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, ready;

static void *produce(void *unused) {
  (void)unused;
  atomic_store_explicit(&data, 42, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  if (atomic_load_explicit(&ready, memory_order_relaxed))
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 42);
  pthread_join(producer, NULL);
  return 0;
}
