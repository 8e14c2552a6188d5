// Rotation of words, as written by hand: compilers know the pattern.
#include <stdio.h>

static unsigned left(unsigned x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }
static unsigned char left8(unsigned char x, unsigned n) {
    n &= 7;
    return (unsigned char)(x << n | x >> ((8 - n) & 7));
}

int main(void) {
    for (unsigned n = 0; n <= 32; n += 8) {
        printf("%x ", left(0x12345678u, n));
    }
    printf("\n");
    for (unsigned n = 0; n < 8; n++) {
        printf("%x ", left8(0x81, n));
    }
    printf("\n");
    return 0;
}
