/* An array is sorted by parts, a part by each thread, and these are merged: nearly all work is to read and write the array. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4

static int *numbers, *spare;

static void merge(long from, long middle, long to) {
  long a = from, b = middle;
  for (long at = from; at < to; at++)
    spare[at] = b == to || (a < middle && numbers[a] <= numbers[b]) ? numbers[a++] : numbers[b++];
  memcpy(numbers + from, spare + from, (size_t)(to - from) * sizeof *numbers);
}

static void sort(long from, long to) {
  if (to - from < 2)
    return;
  long middle = (from + to) / 2;
  sort(from, middle);
  sort(middle, to);
  merge(from, middle, to);
}

static void *part(void *argument) {
  long part = (long)argument;
  sort(part * SIZE / THREADS, (part + 1) * SIZE / THREADS);
  return NULL;
}

int main(void) {
  numbers = malloc(SIZE * sizeof *numbers);
  spare = malloc(SIZE * sizeof *spare);
  unsigned state = 1;
  for (long i = 0; i < SIZE; i++) {
    state = state * 1664525u + 1013904223u;
    numbers[i] = (int)(state >> 8);
  }
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, part, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (long width = 1; width < THREADS; width *= 2)
    for (long i = 0; i + width < THREADS; i += 2 * width)
      merge(i * SIZE / THREADS, (i + width) * SIZE / THREADS, (i + 2 * width) * SIZE / THREADS);
  int ordered = 1;
  for (long i = 1; i < SIZE; i++)
    ordered &= numbers[i - 1] <= numbers[i];
  printf("%d\n", ordered);
  free(numbers);
  free(spare);
  return 0;
}
