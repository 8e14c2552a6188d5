// Conditional expressions: nested, with side effects, as an lvalue through pointers, with the middle left out.
#include <stdio.h>

static int middle(int a, int b, int c) {
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

int main(void) {
    printf("%d %d %d\n", middle(1, 2, 3), middle(3, 1, 2), middle(2, 3, 1));
    int x = 1, y = 2;
    for (int i = 0; i < 5; i++) {
        *(i % 2 ? &x : &y) += i;
    }
    printf("%d %d\n", x, y);
    int zero = 0;
    printf("%d %d\n", zero ?: 7, x ?: 7);
    unsigned u = 1;
    printf("%d\n", (zero ? -1 : u) > 0);
    putchar((x > y ? "larger" : "smaller")[0]);
    putchar('\n');
    return 0;
}
