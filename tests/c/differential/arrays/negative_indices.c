// Indices below zero, from a pointer into the middle.
#include <stdio.h>

int main(void) {
    short v[9];
    short *middle = v + 4;
    for (int i = -4; i <= 4; i++) {
        middle[i] = (short)(i * i * (i < 0 ? -1 : 1));
    }
    long sum = 0;
    for (signed char i = -3; i < 3; i++) {
        sum = 2 * sum + middle[i];
    }
    printf("%ld %d %d\n", sum, v[0], v[8]);
    return 0;
}
