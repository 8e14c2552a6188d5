// Each thread is told by a cell of an array which counter is its own. Nobody else assigns that cell after the thread was started, so the
// counters are known, and the threads have nothing to do with each other.
//@ run: predict --simulate --no-run
//@ verdict: none
//@ exit: 0

#include <assert.h>
#include <pthread.h>

#define THREADS 12

static int counters[THREADS];

static void *count(void *argument) {
  int own = *(int *)argument % THREADS;
  for (int round = 0; round < 3; round++)
    counters[own]++;
  assert(counters[own] == 3);
  return argument;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int number = 0; number < THREADS; number++) {
    numbers[number] = number;
    pthread_create(&threads[number], NULL, count, &numbers[number]);
  }
  for (int number = 0; number < THREADS; number++)
    pthread_join(threads[number], NULL);
  return 0;
}
