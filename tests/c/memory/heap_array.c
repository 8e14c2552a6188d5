// A block on the heap that is one element too small.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <stdlib.h>

static int *numbers(int count) {
  int *block = malloc((count - 1) * sizeof *block);
  for (int i = 0; i < count; i++)
    block[i] = i; //~ memory
  return block;
}

int main(void) {
  int *block = numbers(3);
  free(block);
  return 0;
}
