// An atomic struct that is larger than any atomic instruction.
//@ run: explore -w
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <stdatomic.h>

struct position {
  long x, y, z;
};

static _Atomic(struct position) position;

int main(void) {
  struct position now = {1, 2, 3};
  atomic_store(&position, now);
  struct position seen = atomic_load(&position);
  assert(seen.z == 3);
  return 0;
}
