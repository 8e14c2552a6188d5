// A copy to one of two structs of different sizes: as much as was asked for is copied.
//@ run: explore --int-range 0..1
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <string.h>

struct point {
  int x, y;
} flat;
struct point3 {
  int x, y, z;
} deep;

static const int numbers[3] = {1, 2, 3};

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  void *to = &flat;
  size_t size = sizeof flat;
  if (__VERIFIER_nondet_bool()) {
    to = &deep;
    size = sizeof deep;
  }
  if (size == sizeof deep) {
    memcpy(to, numbers, sizeof deep);
    assert(deep.z == 3);
  } else {
    memcpy(to, numbers, sizeof flat);
    assert(flat.y == 2);
  }
  return 0;
}
