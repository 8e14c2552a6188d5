// Comparison of floating point numbers.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>

static float rate = 0.5f;

int main(void) {
  assert(rate < 1.0f);
  return 0;
}
