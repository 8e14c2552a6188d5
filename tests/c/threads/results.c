// Results of threads, by `return` and by `pthread_exit` from a function that the thread calls.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void finish(intptr_t result) { pthread_exit((void *)result); }

static void *by_exit(void *argument) {
  finish((intptr_t)argument + 1);
  assert(0);
  return NULL;
}

static void *by_return(void *argument) { return (void *)((intptr_t)argument * 2); }

int main(void) {
  pthread_t first, second;
  void *one, *two;
  pthread_create(&first, NULL, by_exit, (void *)10);
  pthread_create(&second, NULL, by_return, (void *)10);
  pthread_join(first, &one);
  pthread_join(second, &two);
  assert((intptr_t)one == 11 && (intptr_t)two == 20);
  return 0;
}
