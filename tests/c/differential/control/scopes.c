// Names that hide others, and variables of inner blocks that start anew.
#include <stdio.h>

static int x = 1;

static int outer(int x) {
    {
        int x = 10;
        x++;
        printf("%d ", x);
    }
    for (int x = 0; x < 2; x++) {
        int y = 5;
        y += x;
        printf("%d ", y);
    }
    return x;
}

int main(void) {
    int r = outer(3);
    printf("%d %d\n", r, x);
    int x = 7;
    {
        extern int printf(const char *, ...);
        printf("%d\n", x);
    }
    return 0;
}
