// Every call has its own array: permutations.
#include <stdio.h>

static int count;

static void permute(const int *items, int size, int depth) {
    if (depth == size) {
        count++;
        printf("%d%d%d ", items[0], items[1], items[2]);
        return;
    }
    for (int i = depth; i < size; i++) {
        int mine[3];
        for (int k = 0; k < size; k++) {
            mine[k] = items[k];
        }
        mine[depth] = items[i];
        mine[i] = items[depth];
        permute(mine, size, depth + 1);
    }
}

int main(void) {
    int items[3] = {1, 2, 3};
    permute(items, 3, 0);
    printf("\n%d\n", count);
    return 0;
}
