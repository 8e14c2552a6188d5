/* A signal handler forks. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int x, kids, bad, stop;
static void on(int s) {
  (void)s;
  if (kids >= 5) return;
  kids++;
  pid_t p = fork();
  if (p == 0) {
    for (int i = 0; i < 100; i++) x++;
    _exit(3);
  }
  int st;
  while (waitpid(p, &st, 0) < 0);
  if (!WIFEXITED(st) || WEXITSTATUS(st) != 3) bad++;
}
static void *work(void *p) {
  while (!stop) x++;
  return p;
}
int main(void) {
  pthread_t t;
  struct sigaction a = {.sa_handler = on, .sa_flags = SA_RESTART};
  sigaction(SIGVTALRM, &a, 0);
  pthread_create(&t, 0, work, 0);
  struct itimerval o = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_VIRTUAL, &o, 0);
  while (kids < 5) x++;
  stop = 1;
  pthread_join(t, 0);
  printf("%d %d\n", kids, bad);
  return 0;
}
