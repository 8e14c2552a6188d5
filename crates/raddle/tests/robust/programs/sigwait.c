/* A thread waits for signals. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile int x;
static sigset_t s;
static void *waiter(void *p) {
  for (int i = 0; i < 20; i++) {
    int n;
    sigwait(&s, &n);
    x++;
  }
  return p;
}
int main(void) {
  sigemptyset(&s);
  sigaddset(&s, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &s, 0);
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  while (x < 20) {
    int b = x;
    pthread_kill(t, SIGUSR1);
    while (x == b) usleep(10);
  }
  pthread_join(t, 0);
  printf("%d\n", x);
}
