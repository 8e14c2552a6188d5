// Four queens, with bits for columns and diagonals.
#include <stdio.h>

enum { N = 4 };

static int solutions;
static int placed[N];

static void place(int row, unsigned columns, unsigned left, unsigned right) {
    if (row == N) {
        solutions++;
        for (int i = 0; i < N; i++) {
            printf("%d", placed[i]);
        }
        putchar(' ');
        return;
    }
    unsigned open = ~(columns | left | right) & ((1u << N) - 1);
    while (open) {
        unsigned bit = open & -open;
        open ^= bit;
        placed[row] = __builtin_ctz(bit);
        place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
}

int main(void) {
    place(0, 0, 0, 0);
    printf("%d\n", solutions);
    return 0;
}
