/* Comes to the end of its stack, and goes on. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int x, n;
static sigjmp_buf j;
static int rec(int n) {
  volatile char b[1000];
  b[n % 1000] = n;
  x++;
  return rec(n + 1) + b[0];
}
static void on(int s) {
  n++;
  siglongjmp(j, 1);
}
int main(void) {
  stack_t a = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&a, 0);
  struct sigaction s = {.sa_handler = on, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &s, 0);
  for (int i = 0; i < 3; i++) {
    if (!sigsetjmp(j, 1)) rec(0);
  }
  for (int i = 0; i < 1000; i++) x++;
  printf("%d\n", n);
  return 0;
}
