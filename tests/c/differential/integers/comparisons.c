// Comparisons between signed and unsigned, narrow and wide operands.
#include <stdio.h>

int main(void) {
    int minus = -1;
    unsigned one = 1;
    long lminus = -1;
    unsigned char uc = 255;
    signed char sc = -1;
    unsigned short us = 65535;
    printf("%d\n", (unsigned)minus > one);
    printf("%d\n", lminus < (long)one);
    printf("%d\n", minus < uc);
    printf("%d\n", sc == (signed char)uc);
    printf("%d\n", us > minus);
    printf("%d\n", (unsigned long)lminus > one);
    unsigned long long big = 1ULL << 40;
    printf("%d %d\n", big > one, (unsigned)big == 0);
    for (int i = -2; i <= 2; i++) {
        printf("%d%d%d%d%d%d ", i < 0, i <= 0, i > 0, i >= 0, i == 0, i != 0);
    }
    putchar('\n');
    return 0;
}
