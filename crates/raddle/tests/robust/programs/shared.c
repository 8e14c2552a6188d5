/* Two processes count in turns in memory that they share. */
#include <stdatomic.h>
#include <stdio.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  atomic_int *s = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t p = fork();
  if (p == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0; i < 200; i++) {
    while ((atomic_load(s) & 1) != (p == 0)) ;
    atomic_fetch_add(s, 1);
  }
  if (p == 0) _exit(0);
  waitpid(p, 0, 0);
  printf("%d\n", *s);
}
