// A matrix as an array of arrays.
#include <stdio.h>

enum { N = 3 };

int main(void) {
    int m[N][N], t[N][N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            m[i][j] = i * N + j;
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            t[j][i] = m[i][j];
        }
    }
    int trace = 0;
    for (int i = 0; i < N; i++) {
        trace += m[i][i] - 2 * t[i][N - 1 - i];
    }
    printf("%d %d %d\n", trace, t[0][2], t[2][0]);
    return 0;
}
