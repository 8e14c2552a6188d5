// An atomic flag that says that other data is ready.
//@ run: explore --check race
//@ verdict: safe
//@ exit: 0
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool ready;
static int data;

static void *produce(void *unused) {
  (void)unused;
  data = 42;
  ready = 1;
  return NULL;
}

int main(void) {
  pthread_t producer;
  int result = 0;
  pthread_create(&producer, NULL, produce, NULL);
  if (ready)
    result = data;
  pthread_join(producer, NULL);
  return result;
}
