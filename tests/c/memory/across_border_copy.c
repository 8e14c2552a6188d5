// A copy of some structs, each of which begins with an array.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>
#include <string.h>

struct entry {
  int key[2];
  int value;
} from[4], to[4];
int count = 3, one = 1;

int main(void) {
  from[2].key[one] = 5;
  from[2].value = 7;
  memcpy(to, from, count * sizeof *to);
  assert(to[2].value == 7);
  return 0;
}
