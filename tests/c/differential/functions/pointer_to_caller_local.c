// A callee writes into its callers' locals, two levels up.
#include <stdio.h>

static void deep(int **where, int value) {
    **where = value;
    *where = 0;
}

static int middle(int *target) {
    int mine = 5;
    int *p = &mine;
    deep(&p, 7);
    int *q = target;
    deep(&q, mine * 2);
    return (p == 0) + (q == 0);
}

int main(void) {
    int x = 1;
    int r = middle(&x);
    printf("%d %d\n", r, x);
    return 0;
}
