// Conversion to a wider type repeats the sign, or fills with zeros.
#include <stdio.h>

static long widen_signed(signed char c) { return c; }
static long widen_unsigned(unsigned char c) { return c; }

int main(void) {
    for (int i = 126; i < 131; i++) {
        printf("%ld %ld\n", widen_signed((signed char)i), widen_unsigned((unsigned char)i));
    }
    short s = -2;
    unsigned int u = s;
    unsigned long ul = (unsigned short)s;
    unsigned long long ull = s;
    printf("%u %lu %llu\n", u, ul, ull);
    int minus = -1;
    printf("%lx %lx\n", (unsigned long)minus, (unsigned long)(unsigned)minus);
    return 0;
}
