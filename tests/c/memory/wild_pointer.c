// A number that is not the address of anything.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <stdint.h>

static volatile uintptr_t port = 0x1234;

int main(void) {
  int *pointer = (int *)port;
  return *pointer; //~ memory
}
