/* Signals strike all the time, on a stack of their own; some handlers leave by a jump. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
static volatile int shared, strikes, jumped, done;
static sigjmp_buf out;
static volatile sig_atomic_t may;
static pthread_t first;
static void tick(int s) {
  shared++;
  strikes += s;
}
static void leave(int s) {
  shared++;
  if (may && pthread_equal(pthread_self(), first)) {
    may = 0;
    siglongjmp(out, 1);
  }
}
static void *work(void *p) {
  stack_t a = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&a, 0);
  for (int i = 0; i < 50000; i++) {
    shared += i;
    if (i % 5000 == 0) usleep(1);
  }
  return p;
}
int main(void) {
  first = pthread_self();
  stack_t a = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&a, 0);
  struct sigaction s = {.sa_handler = tick, .sa_flags = SA_ONSTACK | SA_RESTART};
  sigaction(SIGALRM, &s, 0);
  sigaction(SIGUSR1, &s, 0);
  s.sa_handler = leave;
  s.sa_flags = SA_RESTART;
  sigaction(SIGUSR2, &s, 0);
  struct itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, 0);
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 200; i++) {
    if (sigsetjmp(out, 1)) {
      jumped++;
      continue;
    }
    may = 1;
    pthread_kill(first, SIGUSR2);
    for (int k = 0; k < 300; k++) shared += k;
    may = 0;
  }
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 50; k++) pthread_kill(t[i], SIGUSR1);
  }
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  struct itimerval never = {};
  setitimer(ITIMER_REAL, &never, 0);
  printf("jumped %d\n", jumped);
  return 0;
}
