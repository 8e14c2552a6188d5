// Each access is atomic, but the addition is not.
//@ run(plain): explore
//@ run(race): explore --check race
//@ verdict(plain): unsafe
//@ verdict(race): safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *unused) {
  (void)unused;
  atomic_store(&counter, atomic_load(&counter) + 1);
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, count, NULL);
  count(NULL);
  pthread_join(other, NULL);
  assert(counter == 2); //~(plain) assertion
  return 0;
}
