/* Becomes a daemon, which writes a file. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <fcntl.h>
static volatile int x;
int main(int c, char **v) {
  x = 1;
  if (daemon(1, 0)) return 1;
  x = 2;
  int f = open(v[1], O_CREAT | O_WRONLY, 0644);
  write(f, "daemon\n", 7);
  return 0;
}
