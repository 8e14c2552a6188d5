// Pointers to whole arrays and rows.
#include <stdio.h>

static int row_sum(const int (*row)[3]) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += (*row)[i];
    }
    return sum;
}

static void fill(int rows[][3], int count) {
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < 3; j++) {
            rows[i][j] = 10 * i + j;
        }
    }
}

int main(void) {
    int m[4][3];
    fill(m, 4);
    int(*p)[3] = m;
    printf("%d %d\n", row_sum((const int(*)[3])p), row_sum((const int(*)[3])(p + 2)));
    p += 3;
    printf("%d %d %ld\n", p[-1][2], **p, (long)(p - m));
    int *flat = &m[1][0];
    printf("%d %zu %zu\n", flat[2], sizeof m[0], sizeof *p);
    return 0;
}
