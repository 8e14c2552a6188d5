// Conversion to a narrower type keeps the low bits.
#include <stdio.h>

int main(void) {
    unsigned long long big = 0x123456789abcdef0ULL;
    unsigned int u = (unsigned int)big;
    unsigned short s = (unsigned short)big;
    unsigned char c = (unsigned char)big;
    signed char sc = (signed char)big;
    short ss = (short)(big >> 16);
    int i = (int)(big >> 4);
    printf("%x %x %x %d %d %d\n", u, s, c, sc, ss, i);
    printf("%hhd %hd\n", (signed char)big, (short)(big >> 8));
    long l = -256L;
    printf("%d %d\n", (int)l, (signed char)l);
    return 0;
}
