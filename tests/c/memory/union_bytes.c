// The bytes of a number through a union, by an index from outside.
//@ run: explore --int-range 0..3
//@ verdict: safe
//@ exit: 0
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static union {
  unsigned word;
  unsigned char bytes[4];
} value;

int main(void) {
  int index = __VERIFIER_nondet_int();
  value.word = 0x01010101;
  assert(value.bytes[index] == 1);
  return 0;
}
