// Arrays whose length is known only when they come to life.
#include <stdio.h>

static int triangle(int n) {
    int v[n];
    v[0] = 1;
    for (int i = 1; i < n; i++) {
        v[i] = v[i - 1] + i + 1;
    }
    printf("%zu ", sizeof v);
    return v[n - 1];
}

static int grid(int rows, int columns) {
    int m[rows][columns];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            m[i][j] = i + j;
        }
    }
    return m[rows - 1][columns - 1] + m[0][columns / 2];
}

int main(void) {
    for (int n = 1; n < 5; n++) {
        printf("%d\n", triangle(n));
    }
    printf("%d\n", grid(2, 5));
    return 0;
}
