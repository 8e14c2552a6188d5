// Functions that return pointers into what they were given, and pointers to functions that do.
#include <stdio.h>

static int *larger(int *a, int *b) { return *a > *b ? a : b; }
static int *smaller(int *a, int *b) { return *a > *b ? b : a; }

typedef int *(*selector)(int *, int *);

static selector by_name(char c) { return c == 'l' ? larger : smaller; }

int main(void) {
    int x = 3, y = 8;
    *larger(&x, &y) = 1;
    printf("%d %d\n", x, y);
    *by_name('l')(&x, &y) += 10;
    *by_name('s')(&x, &y) -= 10;
    printf("%d %d\n", x, y);
    return 0;
}
