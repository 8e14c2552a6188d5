// Flags in the lowest bits of a pointer.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <stdint.h>

struct node {
  int value;
};

static struct node node = {7};

int main(void) {
  uintptr_t tagged = (uintptr_t)&node | 1;
  assert(tagged & 1);
  struct node *plain = (struct node *)(tagged & ~(uintptr_t)1);
  assert(plain->value == 7);
  return 0;
}
