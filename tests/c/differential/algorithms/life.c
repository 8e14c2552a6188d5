// A few generations on a small torus, in two buffers.
#include <stdio.h>

enum { N = 5 };

static unsigned char world[2][N][N];

static int neighbours(unsigned char (*w)[N], int r, int c) {
    int n = 0;
    for (int i = -1; i <= 1; i++) {
        for (int j = -1; j <= 1; j++) {
            if (i || j) {
                n += w[(r + i + N) % N][(c + j + N) % N];
            }
        }
    }
    return n;
}

int main(void) {
    world[0][0][1] = world[0][1][2] = world[0][2][0] = world[0][2][1] = world[0][2][2] = 1;
    for (int g = 0; g < 2; g++) {
        for (int r = 0; r < N; r++) {
            for (int c = 0; c < N; c++) {
                int n = neighbours(world[g % 2], r, c);
                world[1 - g % 2][r][c] = n == 3 || (n == 2 && world[g % 2][r][c]);
            }
        }
    }
    for (int r = 0; r < N; r++) {
        for (int c = 0; c < N; c++) {
            putchar(world[0][r][c] ? '#' : '.');
        }
        putchar('\n');
    }
    return 0;
}
