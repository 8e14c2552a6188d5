// `free` of an address inside a block.
//@ run: explore --clang-arg=-Wno-free-nonheap-object
//@ verdict: unsafe
//@ exit: 1
#include <stdlib.h>

int main(void) {
  char *text = malloc(8);
  while (text[0] == ' ')
    text++;
  text++;
  free(text); //~ memory
  return 0;
}
