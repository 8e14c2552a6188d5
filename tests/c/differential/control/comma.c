// The comma operator, in loops, conditions and arguments.
#include <stdio.h>

static int twice(int x) { return 2 * x; }

int main(void) {
    int a, b, c;
    c = (a = 3, b = a + 1, a * b);
    printf("%d %d %d\n", a, b, c);
    int i, j;
    for (i = 0, j = 9; i < j; i += 2, j--) {
        ;
    }
    printf("%d %d\n", i, j);
    printf("%d\n", twice((a++, a + b)));
    if (a = 0, !a) {
        puts("zero");
    }
    return 0;
}
