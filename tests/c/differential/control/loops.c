// for, while, do, with break and continue.
#include <stdio.h>

int main(void) {
    int sum = 0;
    for (int i = 0, j = 10; i < j; i++, j--) {
        sum += i * j;
    }
    printf("%d\n", sum);
    int n = 27, steps = 0;
    while (n != 1 && steps < 20) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    printf("%d %d\n", n, steps);
    int k = 0;
    do {
        k += 3;
        if (k % 2) {
            continue;
        }
        printf("%d ", k);
    } while (k < 20);
    for (;;) {
        if (--k < 15) {
            break;
        }
    }
    printf("%d\n", k);
    return 0;
}
