// A linear congruential generator, in 32 and in 16 bits.
#include <stdio.h>

static unsigned state = 12345;

static unsigned next(void) {
    state = state * 1103515245u + 12345u;
    return state >> 16 & 0x7fff;
}

int main(void) {
    for (int i = 0; i < 6; i++) {
        printf("%u ", next());
    }
    unsigned short small = 1;
    for (int i = 0; i < 6; i++) {
        small = (unsigned short)(small * 75u + 74u);
        printf("%d ", small);
    }
    putchar('\n');
    return 0;
}
