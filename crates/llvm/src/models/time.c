/* Clocks. Time means nothing: every look at a clock may give any time. */
#include <stddef.h>

long __raddle_random(void);
void __VERIFIER_assume(int condition);

struct pair {
  long seconds, parts;
};

/* Any time, as seconds and parts of a second. */
static void look(struct pair *at, long parts) {
  long seconds = __raddle_random(), rest = __raddle_random();
  __VERIFIER_assume(seconds >= 0 && rest >= 0 && rest < parts);
  at->seconds = seconds;
  at->parts = rest;
}

int clock_gettime(int clock, struct pair *at) {
  look(at, 1000000000);
  return 0;
}
int timespec_get(struct pair *at, int base) {
  look(at, 1000000000);
  return base;
}
int gettimeofday(struct pair *at, void *zone) {
  if (at)
    look(at, 1000000);
  return 0;
}

long time(long *at) {
  long seconds = __raddle_random();
  __VERIFIER_assume(seconds >= 0);
  if (at)
    *at = seconds;
  return seconds;
}

double difftime(long end, long start) { return (double)end - (double)start; }
