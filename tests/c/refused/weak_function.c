// Whether a weak function is there is up to what the program is linked with.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <assert.h>

__attribute__((weak)) int hook(void);

int main(void) {
  assert(!hook);
  return 0;
}
