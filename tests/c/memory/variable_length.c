// An array of structs whose length is known only when the program runs.
//@ run: explore --int-range 1..3
//@ verdict: safe
//@ exit: 0
#include <assert.h>

struct point {
  int x, y;
};

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int count = __VERIFIER_nondet_int();
  struct point points[count];
  for (int i = 0; i < count; i++)
    points[i].y = i;
  assert(points[count - 1].y == count - 1);
  return 0;
}
