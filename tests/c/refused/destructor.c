// A function that runs after `main`.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>

static int count;

__attribute__((destructor)) static void check(void) { assert(count == 0); }

int main(void) {
  count = 1;
  return 0;
}
