// Double recursion.
#include <stdio.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
    for (int i = 0; i <= 10; i++) {
        printf("%d ", fib(i));
    }
    putchar('\n');
    return 0;
}
