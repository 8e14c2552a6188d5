// A signal handler that `sigaction` installs.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t stopped;

static void stop(int number) {
  (void)number;
  stopped = 1;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = stop;
  sigaction(SIGINT, &action, NULL);
  return stopped;
}
