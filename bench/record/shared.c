/* The worst case: threads do nothing but read and write what all share, without a lock. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 4

static volatile unsigned words[64];

static void *mix(void *argument) {
  for (unsigned i = 0; i < ROUNDS; i++)
    words[i % 64] = words[(i + 1) % 64] + words[(i + 7) % 64];
  return argument;
}

int main(void) {
  pthread_t threads[THREADS];
  /* Zeros would stay zeros, and be as expected each time. */
  for (unsigned i = 0; i < 64; i++)
    words[i] = i * 2654435761u;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, mix, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
