// A pointer that is computed from its own bits.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <stdint.h>

static int table[4];

int main(void) {
  uintptr_t mixed = (uintptr_t)table ^ 0x5a5a5a5a00000000;
  int *pointer = (int *)mixed;
  return *pointer; //~ memory
}
