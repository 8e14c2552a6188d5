// A mix of types in one expression: the usual arithmetic conversions.
#include <stdio.h>

int main(void) {
    signed char sc = -3;
    unsigned char uc = 250;
    short s = -1000;
    unsigned short us = 60000;
    int i = -100000;
    unsigned u = 100000;
    long l = -5000000000L;
    unsigned long ul = 5000000000UL;
    printf("%d %d %d\n", sc + uc, s + us, sc * s);
    printf("%u %ld %lu\n", i + u, i + l, l + ul);
    printf("%ld %lu\n", u + l, u + ul);
    printf("%d %ld\n", i / sc, l / s);
    printf("%u %lu\n", (unsigned)i / 7u, ul / uc);
    printf("%lld\n", (long long)sc * uc * s * us);
    printf("%d\n", (signed char)(uc + us));
    return 0;
}
