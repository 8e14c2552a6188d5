// An index far beyond a block whose size is computed.
//@ run: explore
//@ verdict: unsafe
//@ kind: memory
//@ exit: 1
#include <stdlib.h>

int count = 4;
long far = 1L << 18;

int main(void) {
  int *block = malloc(count * sizeof *block);
  block[far] = 5; //~ memory
  return 0;
}
