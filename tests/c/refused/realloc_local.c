// `realloc` of what was not allocated.
//@ run: explore --clang-arg=-w
//@ exit: 3
#include <stdlib.h>

int main(void) {
  int local[2] = {0};
  int *larger = realloc(local, 4 * sizeof(int));
  return larger[0];
}
