/* Matrices are multiplied, by rows: each thread reads what all share, and writes its own part. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 4

static int left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];

static void *multiply(void *argument) {
  long part = (long)argument;
  for (long row = part * SIZE / THREADS; row < (part + 1) * SIZE / THREADS; row++)
    for (int column = 0; column < SIZE; column++) {
      int sum = 0;
      for (int i = 0; i < SIZE; i++)
        sum += left[row][i] * right[i][column];
      product[row][column] = sum;
    }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int row = 0; row < SIZE; row++)
    for (int column = 0; column < SIZE; column++) {
      left[row][column] = row + column;
      right[row][column] = row - column;
    }
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, multiply, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  int trace = 0;
  for (int i = 0; i < SIZE; i++)
    trace += product[i][i];
  printf("%d\n", trace);
  return 0;
}
