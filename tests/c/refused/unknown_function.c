// A function that is declared and not defined.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>

extern int read_sensor(void);

int main(void) {
  int value = read_sensor();
  assert(value < 100);
  return 0;
}
