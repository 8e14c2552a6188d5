// The assertion fails if the write goes where compilers let it go. Whoever does not ask for accesses out of bounds is told that nothing is known.
//@ run: explore --check assertion
//@ run: verify --check assertion
//@ verdict: unknown
//@ exit: 3
#include <assert.h>

struct {
  int table[3];
  int after;
} both;
int size = 4;

int main(void) {
  for (int i = 0; i < size; i++)
    both.table[i] = 1;
  assert(both.after == 0);
  return 0;
}
