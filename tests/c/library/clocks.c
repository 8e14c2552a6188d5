// Two looks at a clock may give any times.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec start;
  struct timeval now;
  time_t seconds = 7;
  assert(clock_gettime(CLOCK_MONOTONIC, &start) == 0);
  assert(start.tv_nsec >= 0 && start.tv_nsec < 1000000000);
  gettimeofday(&now, NULL);
  time(&seconds);
  if (isatty(1))
    puts(strerror(0));
  assert(seconds == 7); //~ assertion
  return 0;
}
