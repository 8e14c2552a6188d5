// A function that runs after `main`.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>
#include <stdlib.h>

static int count;

static void check(void) { assert(count == 0); }

int main(void) {
  atexit(check);
  count = 1;
  return 0;
}
