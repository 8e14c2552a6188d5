// A pointer that points to one of several variables, known only when it runs.
#include <stdio.h>

static int ga = 1, gb = 2;

static int *choose(int i, int *local) {
    if (i % 3 == 0) {
        return &ga;
    }
    return i % 3 == 1 ? &gb : local;
}

int main(void) {
    int local = 3;
    for (int i = 0; i < 9; i++) {
        *choose(i, &local) += i;
    }
    printf("%d %d %d\n", ga, gb, local);
    int *p = choose(ga, &local);
    int *q = choose(gb, &local);
    printf("%d %d\n", p == &ga, q == &local);
    return 0;
}
