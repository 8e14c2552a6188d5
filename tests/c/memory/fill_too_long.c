// More bytes are cleared than the block has.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <stdlib.h>
#include <string.h>

static void clear(int *numbers, size_t count) { memset(numbers, 0, count * sizeof(int)); } //~ memory

int main(void) {
  int *numbers = malloc(3 * sizeof(int));
  clear(numbers, 4);
  free(numbers);
  return 0;
}
