// The copy is longer than the place that it comes from.
//@ run: explore --clang-arg=-Wno-fortify-source
//@ verdict: unsafe
//@ exit: 1
#include <string.h>

static char received[8];
static char line[16];

int main(void) {
  memcpy(line, received, sizeof line); //~ memory
  return line[0];
}
