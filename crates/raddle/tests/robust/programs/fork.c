/* Forks while other threads hold and want a lock. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int x, stop;
static int prepared, parent, child;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void pre(void) {
  pthread_mutex_lock(&m);
  prepared++;
}
static void par(void) {
  parent++;
  pthread_mutex_unlock(&m);
}
static void chi(void) {
  child++;
  pthread_mutex_unlock(&m);
}
static void *busy(void *p) {
  while (!stop) {
    usleep(1);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
  }
  return p;
}
static void *own(void *p) {
  for (int i = 0; i < 1000; i++) x++;
  return p;
}
int main(void) {
  pthread_t t[3];
  pthread_atfork(pre, par, chi);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, busy, 0);
  for (int i = 0; i < 5; i++) {
    pid_t p = fork();
    if (p == 0) {
      pthread_t o;
      if (pthread_create(&o, 0, own, 0)) _exit(1);
      pthread_join(o, 0);
      pthread_mutex_lock(&m);
      x++;
      pthread_mutex_unlock(&m);
      exit(child == 1 ? 4 : 3);
    }
    int s;
    waitpid(p, &s, 0);
    if (!WIFEXITED(s) || WEXITSTATUS(s) != 4) {
      printf("bad %x\n", s);
      return 1;
    }
  }
  stop = 1;
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  printf("%d %d %d\n", prepared, parent, child);
  return 0;
}
