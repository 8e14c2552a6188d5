// What is never freed is never allocated again, and no state comes twice.
//@ run: live --stem 1 --lasso 1
//@ verdict(live): none-within-bounds
//@ exit: 0
#include <stdlib.h>

int main(void) {
  for (;;) {
    int *block = malloc(sizeof *block);
    *block = 1;
  }
}
