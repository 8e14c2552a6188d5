/* Processes that share all memory with the one that makes them. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
static volatile int x;
static char stack[1<<18];
static int child(void *p) {
  for (int i = 0; i < 1000; i++) x++;
  return *(int *)p;
}
int main(void) {
  int s, five = 5;
  pid_t p = clone(child, stack + sizeof stack, CLONE_VM | SIGCHLD, &five);
  waitpid(p, &s, 0);
  printf("clone %d %d\n", WEXITSTATUS(s), x);
  p = clone(child, stack + sizeof stack, CLONE_VM | CLONE_VFORK| SIGCHLD, &five);
  waitpid(p, &s, 0);
  printf("clone %d %d\n", WEXITSTATUS(s), x);
  return 0;
}
