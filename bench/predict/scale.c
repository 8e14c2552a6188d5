// A long run: eight threads that make ACCESSES accesses to shared variables in all, two in each round. Counters are updated
// under their locks. Now and then a thread updates a counter of all rounds without one: the bug.
#include <pthread.h>

#define THREADS 8
#define COUNTERS 16
#ifndef ACCESSES
#define ACCESSES 1000
#endif
#define ROUNDS (ACCESSES / 2 / THREADS)
#define RARELY 50

static pthread_mutex_t locks[COUNTERS];
static int counters[COUNTERS];
static int noticed;

static void *worker(void *argument) {
  int number = (int)(long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    if (round % RARELY == RARELY - 1) {
      noticed = noticed + 1;
      continue;
    }
    int at = (number + round) % COUNTERS;
    pthread_mutex_lock(&locks[at]);
    counters[at] = counters[at] + 1;
    pthread_mutex_unlock(&locks[at]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int at = 0; at < COUNTERS; at++)
    pthread_mutex_init(&locks[at], NULL);
  for (long number = 0; number < THREADS; number++)
    pthread_create(&threads[number], NULL, worker, (void *)number);
  for (int number = 0; number < THREADS; number++)
    pthread_join(threads[number], NULL);
  return 0;
}
