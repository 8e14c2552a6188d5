// To ignore a signal installs no handler.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <signal.h>

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  return 0;
}
