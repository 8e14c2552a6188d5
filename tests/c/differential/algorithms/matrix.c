// The product of two matrices, in structs that are passed by value.
#include <stdio.h>

struct matrix {
    long m[2][2];
};

static struct matrix times(struct matrix a, struct matrix b) {
    struct matrix r;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            r.m[i][j] = 0;
            for (int k = 0; k < 2; k++) {
                r.m[i][j] += a.m[i][k] * b.m[k][j];
            }
        }
    }
    return r;
}

int main(void) {
    struct matrix base = {{{1, 1}, {1, 0}}}, power = {{{1, 0}, {0, 1}}};
    for (unsigned n = 50; n; n >>= 1) {
        if (n & 1) {
            power = times(power, base);
        }
        base = times(base, base);
    }
    printf("%ld\n", power.m[0][1]);
    return 0;
}
