// A signal handler runs at any time.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t stopped;

static void stop(int number) {
  (void)number;
  stopped = 1;
}

int main(void) {
  signal(SIGINT, stop);
  assert(!stopped);
  return 0;
}
