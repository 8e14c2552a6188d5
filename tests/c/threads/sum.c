// Threads that are started in a loop, each with its part of an array.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

#define THREADS 3

struct part {
  const int *from;
  int count, sum;
};

static const int numbers[6] = {1, 2, 3, 4, 5, 6};

static void *add(void *argument) {
  struct part *part = argument;
  int sum = 0;
  for (int i = 0; i < part->count; i++)
    sum += part->from[i];
  part->sum = sum;
  return NULL;
}

int main(void) {
  struct part parts[THREADS];
  pthread_t threads[THREADS];
  int total = 0;
  for (int i = 0; i < THREADS; i++) {
    parts[i].from = &numbers[2 * i];
    parts[i].count = 2;
    pthread_create(&threads[i], NULL, add, &parts[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    total += parts[i].sum;
  }
  assert(total == 21);
  return 0;
}
