// A second process.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0)
    _exit(1);
  waitpid(child, NULL, 0);
  return 0;
}
