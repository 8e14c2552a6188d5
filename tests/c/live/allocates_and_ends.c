// The objects are the same in every round, but the rounds are counted.
//@ run: live --stem 1 --lasso 1 --unroll 3
//@ verdict(live): none-within-bounds
//@ exit: 0
#include <stdlib.h>

int main(void) {
  for (int round = 0; round < 2; round++) {
    int *scratch = malloc(sizeof *scratch);
    *scratch = round;
    free(scratch);
  }
  return 0;
}
