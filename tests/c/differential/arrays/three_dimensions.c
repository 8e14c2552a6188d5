// Three dimensions, of which the middle one is walked by a pointer.
#include <stdio.h>

static unsigned char cube[2][3][4];

int main(void) {
    for (int i = 0; i < 24; i++) {
        cube[i / 12][i / 4 % 3][i % 4] = (unsigned char)(i * 11);
    }
    unsigned sum = 0;
    for (int a = 0; a < 2; a++) {
        for (unsigned char(*row)[4] = cube[a]; row < cube[a] + 3; row++) {
            sum = 3 * sum + (*row)[a + 1];
        }
    }
    printf("%u %d %zu\n", sum, cube[1][2][3], sizeof cube[0]);
    return 0;
}
