// Jumps out of functions.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <setjmp.h>

static jmp_buf start;

static void fail(void) { longjmp(start, 1); }

int main(void) {
  if (setjmp(start) == 0)
    fail();
  return 0;
}
