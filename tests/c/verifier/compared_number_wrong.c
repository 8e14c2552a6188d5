// A number that is far from zero, and found all the same.
//@ run: explore
//@ verdict: unsafe
//@ kind: assertion
//@ exit: 1
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned size = __VERIFIER_nondet_uint();
  if (size >= 4000000000u)
    assert(size == 4000000000u); //~ assertion
  return 0;
}
