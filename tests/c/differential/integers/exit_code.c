// The program ends with a code of its own.
#include <stdio.h>

static int failures(int n) { return n * 3 - 4; }

int main(void) {
    printf("%d\n", failures(4));
    return failures(4) - 1;
}
