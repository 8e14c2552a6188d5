// The result is read without waiting for the thread that writes it.
//@ run: explore --check race
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static int results[2];

static void *compute(void *argument) {
  long i = (long)argument;
  results[i] = 10;
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, compute, (void *)0);
  pthread_create(&second, NULL, compute, (void *)1);
  pthread_join(first, NULL);
  int sum = results[0] + results[1]; //~ data-race
  pthread_join(second, NULL);
  return sum;
}
