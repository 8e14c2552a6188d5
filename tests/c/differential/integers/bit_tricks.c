// Bit tricks by hand: population count, lowest bit, powers of two, reversal, swap without a temporary.
#include <stdio.h>

static int population(unsigned x) {
    int n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}

static unsigned reverse(unsigned x) {
    unsigned r = 0;
    for (int i = 0; i < 32; i++) {
        r = r << 1 | (x >> i & 1);
    }
    return r;
}

int main(void) {
    unsigned values[] = {0, 1, 6, 0x80000000u, 0xdeadbeefu};
    for (int i = 0; i < 5; i++) {
        unsigned x = values[i];
        printf("%d %x %d %x\n", population(x), x & -x, x && !(x & (x - 1)), reverse(x));
    }
    unsigned a = 12, b = 34;
    a ^= b;
    b ^= a;
    a ^= b;
    printf("%u %u\n", a, b);
    return 0;
}
