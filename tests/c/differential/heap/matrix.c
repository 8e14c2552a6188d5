// A matrix of rows on the heap.
#include <stdio.h>
#include <stdlib.h>

static int **make(int rows, int columns) {
    int **m = malloc((size_t)rows * sizeof *m);
    for (int i = 0; i < rows; i++) {
        m[i] = calloc((size_t)columns, sizeof **m);
    }
    return m;
}

static void drop(int **m, int rows) {
    for (int i = 0; i < rows; i++) {
        free(m[i]);
    }
    free(m);
}

int main(void) {
    int **m = make(3, 4);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 4; j++) {
            m[i][j] = 10 * i + j;
        }
    }
    int *row = m[0];
    m[0] = m[2];
    m[2] = row;
    int sum = 0;
    for (int j = 0; j < 4; j++) {
        sum += m[0][j] - m[2][j];
    }
    printf("%d %d %d\n", sum, m[1][0], m[2][3]);
    drop(m, 3);
    return 0;
}
