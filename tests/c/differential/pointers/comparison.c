// Pointers are compared for equality and, within an array, for order.
#include <stdio.h>

static int global;

static int index_of(const int *begin, const int *end, int wanted) {
    for (const int *p = begin; p < end; p++) {
        if (*p == wanted) {
            return (int)(p - begin);
        }
    }
    return -1;
}

int main(void) {
    int local = 0, v[4] = {4, 8, 15, 16};
    int *p = &local, *q = &global, *r = p;
    printf("%d %d %d %d\n", p == q, p == r, p != 0, q == &global);
    printf("%d %d\n", index_of(v, v + 4, 15), index_of(v, v + 4, 23));
    printf("%d %d\n", v + 1 >= v, v + 4 > &v[3]);
    r = 0;
    printf("%d %d\n", !r, r == (void *)0);
    return 0;
}
