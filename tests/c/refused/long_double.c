// Floating point numbers of 80 bits.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>

static long double rate = 0.5L;

int main(void) {
  assert(rate + rate == 1.0L);
  return 0;
}
