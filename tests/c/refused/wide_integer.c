// Integers of 128 bits.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>

static unsigned __int128 product(unsigned long a, unsigned long b) { return (unsigned __int128)a * b; }
static volatile unsigned long a = 1UL << 63;

int main(void) {
  assert(product(a, 4) >> 64 == 2);
  return 0;
}
