// A string that does not fit, by one for its end.
//@ run: explore --clang-arg=-Wno-fortify-source
//@ verdict: unsafe
//@ exit: 1
#include <string.h>

int main(void) {
  char name[5];
  const char *source = "alice";
  strcpy(name, source); //~ memory
  return name[0];
}
