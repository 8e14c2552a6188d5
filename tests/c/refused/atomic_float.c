// An atomic addition to a floating point number.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <stdatomic.h>

static _Atomic float sum;

int main(void) {
  sum += 1.5f;
  return 0;
}
