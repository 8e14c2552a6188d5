/* Child processes, made in all ways. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static volatile int x;
static char stack[65536];
static int child(void *p) {
  x++;
  return *(int *)p;
}
int main(void) {
  int s, five = 5;
  pid_t p;
  char *av[] = {"sh", "-c", "exit 3", 0};
  s = system("exit 2");
  printf("system %d\n", WEXITSTATUS(s));
  FILE *f = popen("echo hi", "r");
  char b[9] = "";
  fgets(b, 9, f);
  printf("popen %s", b);
  pclose(f);
  posix_spawn(&p, "/bin/sh", 0, 0, av, environ);
  waitpid(p, &s, 0);
  printf("spawn %d\n", WEXITSTATUS(s));
  posix_spawnp(&p, "sh", 0, 0, av, environ);
  waitpid(p, &s, 0);
  printf("spawnp %d\n", WEXITSTATUS(s));
  p = vfork();
  if (p == 0) {
    execl("/bin/sh", "sh", "-c", "exit 4", (char *)0);
    _exit(9);
  }
  waitpid(p, &s, 0);
  printf("vfork %d\n", WEXITSTATUS(s));
  p = clone(child, stack + 65536, SIGCHLD, &five);
  waitpid(p, &s, 0);
  printf("clone %d\n", WEXITSTATUS(s));
  p = fork();
  if (p == 0) _exit(6);
  waitpid(p, &s, 0);
  printf("fork %d\n", WEXITSTATUS(s));
  fflush(stdout);
  p = _Fork();
  if (p == 0) _exit(6);
  waitpid(p, &s, 0);
  printf("_Fork %d\n", WEXITSTATUS(s));
  return 0;
}
