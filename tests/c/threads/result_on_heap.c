// A thread returns its result on the heap.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *compute(void *argument) {
  int *result = malloc(sizeof *result);
  *result = *(int *)argument + 1;
  return result;
}

int main(void) {
  pthread_t first, second;
  int one = 1, ten = 10;
  void *a, *b;
  pthread_create(&first, NULL, compute, &one);
  pthread_create(&second, NULL, compute, &ten);
  pthread_join(first, &a);
  pthread_join(second, &b);
  assert(*(int *)a == 2 && *(int *)b == 11);
  free(a);
  free(b);
  return 0;
}
