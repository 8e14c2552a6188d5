/* Threads with the smallest stack there is. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int x;
static void *work(void *p) {
  for (int i = 0; i < 20000; i++) x += i ^ x;
  return p;
}
int main(void) {
  pthread_attr_t a;
  pthread_attr_init(&a);
  int e = pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN);
  pthread_t t[4];
  for (int i = 0; i < 4; i++) if (pthread_create(&t[i], &a, work, 0)) return 1;
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  printf("%d\n", e);
}
