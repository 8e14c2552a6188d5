// More arguments than there are registers, of all widths.
#include <stdio.h>

static long mix(char a, short b, int c, long d, unsigned char e, unsigned f, long long g, int h, short i, char j) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6L * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

static int sum(int a, int b, int c, int d, int e, int f, int g, int h) {
    return a > 0 ? sum(0, b, c, d, e, f, g, h) + a : b + c + d + e + f + g + h;
}

int main(void) {
    printf("%ld\n", mix('a', -2, 3, -4000000000L, 255, 4000000000u, 7, -8, 9, 'j'));
    printf("%d\n", sum(1, 2, 3, 4, 5, 6, 7, 8));
    return 0;
}
