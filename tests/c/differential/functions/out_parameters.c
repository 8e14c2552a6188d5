// Results through pointers.
#include <stdio.h>

static int divide(int a, int b, int *quotient, int *rest) {
    if (b == 0) {
        return 0;
    }
    *quotient = a / b;
    *rest = a % b;
    return 1;
}

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static void order(int *a, int *b, int *c) {
    if (*a > *b) swap(a, b);
    if (*b > *c) swap(b, c);
    if (*a > *b) swap(a, b);
}

int main(void) {
    int q = -1, r = -1;
    printf("%d ", divide(17, 5, &q, &r));
    printf("%d %d\n", q, r);
    printf("%d ", divide(17, 0, &q, &r));
    printf("%d %d\n", q, r);
    int x = 3, y = 1, z = 2;
    order(&x, &y, &z);
    printf("%d %d %d\n", x, y, z);
    return 0;
}
