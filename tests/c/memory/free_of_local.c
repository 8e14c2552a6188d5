// `free` of a local variable.
//@ run: explore --clang-arg=-Wno-free-nonheap-object
//@ verdict: unsafe
//@ exit: 1
#include <stdlib.h>

int main(void) {
  int local = 0;
  int *pointer = &local;
  free(pointer); //~ memory
  return 0;
}
