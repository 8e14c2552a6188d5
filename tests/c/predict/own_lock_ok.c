// A lock made of an exchange, and a counter that is changed by comparing first: both mean others to come in between, and see to it themselves.
//@ run: predict --simulate --no-run --check atomicity,race,assertion
//@ verdict: none
//@ exit: 0

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken, counter;
static int protected;

static void lock(void) {
  while (atomic_exchange(&taken, 1))
    ;
}

static void unlock(void) {
  atomic_store(&taken, 0);
}

static void add_one(void) {
  int seen = atomic_load(&counter);
  while (!atomic_compare_exchange_weak(&counter, &seen, seen + 1))
    ;
}

static void *work(void *argument) {
  lock();
  protected++;
  unlock();
  add_one();
  return argument;
}

static void *work_in_place(void *argument) {
  while (atomic_load(&taken) || atomic_exchange(&taken, 1))
    ;
  protected++;
  atomic_store(&taken, 0);
  int seen = atomic_load(&counter);
  while (!atomic_compare_exchange_weak(&counter, &seen, seen + 1))
    ;
  return argument;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&other, NULL, work_in_place, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(protected == 2 && counter == 2);
  return 0;
}
