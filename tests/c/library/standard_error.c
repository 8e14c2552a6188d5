// Output to `stderr` is no choice of a file.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *to = stderr;
  fprintf(to, "%d\n", 1);
  fputs("done\n", stdout);
  assert(to && to != stdout);
  return 0;
}
