/* Threads look for prime numbers and take the next block of them from a shared counter: all but that is local. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define BLOCK 1000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int next = 2, found;

static int is_prime(int number) {
  for (int divisor = 2; divisor * divisor <= number; divisor++)
    if (number % divisor == 0)
      return 0;
  return 1;
}

static void *look(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    int first = next;
    next += BLOCK;
    pthread_mutex_unlock(&mutex);
    if (first > LIMIT)
      return unused;
    int here = 0;
    for (int number = first; number < first + BLOCK; number++)
      here += is_prime(number);
    pthread_mutex_lock(&mutex);
    found += here;
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, look, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n", found);
  return 0;
}
