// Greatest common divisors, by remainders and by subtraction, and what the extended algorithm adds.
#include <stdio.h>

static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

static unsigned slow(unsigned a, unsigned b) {
    while (a != b) {
        if (a > b) {
            a -= b;
        } else {
            b -= a;
        }
    }
    return a;
}

static int extended(int a, int b, int *x, int *y) {
    if (b == 0) {
        *x = 1;
        *y = 0;
        return a;
    }
    int x1, y1;
    int g = extended(b, a % b, &x1, &y1);
    *x = y1;
    *y = x1 - a / b * y1;
    return g;
}

int main(void) {
    printf("%u %u %u\n", gcd(48, 36), gcd(17, 5), slow(48, 36));
    int x, y;
    int g = extended(240, 46, &x, &y);
    printf("%d %d %d %d\n", g, x, y, 240 * x + 46 * y);
    return 0;
}
