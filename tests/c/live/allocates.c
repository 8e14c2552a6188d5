// Each round frees what it allocated: the objects of two rounds differ in nothing but their names.
//@ run: live --stem 1 --lasso 1
//@ verdict(live): non-terminating
//@ kind: non-termination
//@ exit: 1
#include <stdlib.h>

int main(void) {
  for (;;) {
    int *scratch = malloc(sizeof *scratch);
    *scratch = 1;
    free(scratch);
  }
}
