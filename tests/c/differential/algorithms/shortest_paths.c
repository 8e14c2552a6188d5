// All shortest paths in a small graph.
#include <stdio.h>

enum { N = 4, FAR = 1000 };

int main(void) {
    int d[N][N] = {{0, 3, FAR, 7}, {8, 0, 2, FAR}, {5, FAR, 0, 1}, {2, FAR, FAR, 0}};
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                if (d[i][k] + d[k][j] < d[i][j]) {
                    d[i][j] = d[i][k] + d[k][j];
                }
            }
        }
    }
    for (int i = 0; i < N; i++) {
        printf("%d %d %d %d\n", d[i][0], d[i][1], d[i][2], d[i][3]);
    }
    return 0;
}
