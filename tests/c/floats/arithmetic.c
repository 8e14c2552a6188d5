// Arithmetic with floating point numbers.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>

static double rate = 0.1;

int main(void) {
  double total = rate + rate + rate;
  assert(total > 0.2);
  return 0;
}
