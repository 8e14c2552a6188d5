/* Becomes another program in the way that the argument says. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>
extern char **environ;
static volatile int x;
int main(int argc, char **argv) {
  x = 1;
  const char *how = argv[1];
  char *av[] = {"sh", "-c", "echo new $V; exit 7", 0};
  char *ev[] = {"V=e", "PATH=/bin:/usr/bin", 0};
  int r = -2;
  if (!strcmp(how, "execl")) r = execl("/bin/sh", "sh", "-c", "echo new $V; exit 7", (char *)0);
  if (!strcmp(how, "execlp")) r = execlp("sh", "sh", "-c", "echo new $V; exit 7", (char *)0);
  if (!strcmp(how, "execle")) r = execle("/bin/sh", "sh", "-c", "echo new $V; exit 7", (char *)0, ev);
  if (!strcmp(how, "execvpe")) r = execvpe("sh", av, ev);
  if (!strcmp(how, "fexecve")) r = fexecve(open("/bin/sh", O_RDONLY), av, ev);
  if (!strcmp(how, "execveat")) r = execveat(AT_FDCWD, "/bin/sh", av, ev, 0);
  if (!strcmp(how, "execvp")) r = execvp("sh", av);
  if (!strcmp(how, "execve")) r = execve("/bin/sh", av, ev);
  if (!strcmp(how, "execv")) r = execv("/bin/sh", av);
  if (!strcmp(how, "fails")) {
    r = execl("/nonexistent", "x", (char *)0);
    x = 3;
    printf("%d\n", r);
    return 4;
  }
  return r;
}
