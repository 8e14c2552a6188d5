// A floating point number becomes an integer.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>

static double rate = 2.5;

int main(void) {
  int whole = (int)rate;
  assert(whole == 2);
  return 0;
}
