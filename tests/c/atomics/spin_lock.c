// A spin lock made of an atomic flag.
//@ run: explore
//@ run(race): explore --check race
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter;

static void *count(void *unused) {
  (void)unused;
  while (atomic_flag_test_and_set(&busy))
    ;
  counter++;
  atomic_flag_clear(&busy);
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
