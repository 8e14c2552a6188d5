/* Switches between stacks of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <pthread.h>
static volatile int x;
static __thread ucontext_t a, b;
static __thread int n;
static void co(void) {
  for (int i = 0; i < 50; i++) {
    x++;
    n++;
    swapcontext(&b, &a);
  }
}
static void *work(void *p) {
  char *st = malloc(1 << 16);
  getcontext(&b);
  b.uc_stack.ss_sp = st;
  b.uc_stack.ss_size = 1 << 16;
  b.uc_link = &a;
  makecontext(&b, co, 0);
  for (int i = 0; i < 50; i++) {
    swapcontext(&a, &b);
    x++;
  }
  return (void *)(long)n;
}
int main(void) {
  pthread_t t[3];
  long s = 0;
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) {
    void *r;
    pthread_join(t[i], &r);
    s += (long)r;
  }
  printf("%ld %d\n", s, x > 0);
}
