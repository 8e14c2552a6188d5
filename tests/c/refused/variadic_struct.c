// A struct among a variable number of arguments.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>
#include <stdarg.h>

struct large {
  long a, b, c;
};

static long last(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  struct large found = va_arg(arguments, struct large);
  va_end(arguments);
  return found.c;
}

int main(void) {
  struct large given = {1, 2, 3};
  assert(last(1, given) == 3);
  return 0;
}
