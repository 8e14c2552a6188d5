// Two threads add to an atomic floating point number, which the compiler makes a loop of compare and exchange.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic float sum;

static void *add(void *unused) {
  (void)unused;
  sum += 1.5f;
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, add, NULL);
  pthread_create(&second, NULL, add, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(sum == 3);
  return 0;
}
