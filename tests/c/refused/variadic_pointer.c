// A function with a variable number of arguments is called through a pointer.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>
#include <stdarg.h>

static int first(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  int found = va_arg(arguments, int);
  va_end(arguments);
  return found;
}

int (*volatile chosen)(int, ...) = first;

int main(void) {
  assert(chosen(1, 7) == 7);
  return 0;
}
