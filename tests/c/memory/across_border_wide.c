// Eight bytes from the last element of an array on, of which four are the next field.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>

struct {
  int array[2];
  int next;
} both;
int last = 1;

int main(void) {
  both.array[last] = 1;
  both.next = 2;
  assert(*(long *)(void *)&both.array[last] == 0x200000001);
  return 0;
}
