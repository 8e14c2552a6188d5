// A function of the program with a variable number of arguments.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <stdarg.h>

static int sum(int count, ...) {
  va_list arguments;
  int total = 0;
  va_start(arguments, count);
  for (int i = 0; i < count; i++)
    total += va_arg(arguments, int);
  va_end(arguments);
  return total;
}

int main(void) {
  assert(sum(2, 3, 4) == 7);
  return 0;
}
