/* Forks while another thread runs; the child goes on, also with threads, and is not recorded. Then it becomes another program. */
#include "abi.h"
static volatile int x, stop;
static void *busy(void *unused) {
  ENTER;
  while (BRANCH(!READ(stop))) WRITE(x, x + 1);
  LEAVE;
  return unused;
}
static void *once(void *unused) {
  ENTER;
  WRITE(x, 5);
  LEAVE;
  return unused;
}
int main(int argc, char **argv) {
  ENTER;
  if (argc > 1) return getenv("RADDLE_RECORD") || __raddle_mode ? 1 : 6;
  pthread_t thread;
  __raddle_pthread_create(SITE, &thread, NULL, busy, NULL);
  pid_t child = __raddle_fork(SITE);
  if (child == 0) {
    pthread_t own;
    if (__raddle_mode) _exit(1);
    for (int i = 0; i < 100000; i++) WRITE(x, i);
    if (__raddle_pthread_create(SITE, &own, NULL, once, NULL)) _exit(2);
    __raddle_pthread_join(SITE, own, NULL);
    CALL(usleep(1000));
    LEAVE;
    __raddle__exit(SITE, 4);
  }
  int status = 0;
  CALL(waitpid(child, &status, 0));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 4) return 2;
  /* A child that code makes that is not instrumented. */
  CALL(status = system("exit 3"));
  if (WEXITSTATUS(status) != 3) return 3;
  WRITE(stop, 1);
  __raddle_pthread_join(SITE, thread, NULL);
  char *arguments[] = {argv[0], (char *)"again", NULL};
  __raddle_exec(SITE);
  execv("/proc/self/exe", arguments);
  return 4;
}
