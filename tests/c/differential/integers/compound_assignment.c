// Compound assignments convert back to the type of the left side.
#include <stdio.h>

int main(void) {
    unsigned char c = 200;
    c += 100;
    printf("%d\n", c);
    c *= 3;
    printf("%d\n", c);
    c -= 200;
    printf("%d\n", c);
    short s = 1000;
    s *= 30;
    printf("%d\n", s);
    s /= 7;
    printf("%d\n", s);
    s %= 100;
    printf("%d\n", s);
    long l = 10;
    l -= 20u * 1L;
    printf("%ld\n", l);
    int i = 7;
    i <<= 3;
    i |= 1;
    i >>= 1;
    i ^= 0x55;
    printf("%d\n", i);
    unsigned u = 10;
    u -= 11;
    printf("%u\n", u);
    return 0;
}
