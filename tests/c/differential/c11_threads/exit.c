// A thread of C11 ends in the middle; another result is a negative number.
#include <stdio.h>
#include <threads.h>

static int early(void *arg) {
    if (*(int *)arg > 3) {
        thrd_exit(44);
    }
    return -1;
}

int main(void) {
    int large = 5, small = 1, a, b;
    thrd_t t, u;
    thrd_create(&t, early, &large);
    thrd_create(&u, early, &small);
    thrd_join(t, &a);
    thrd_join(u, &b);
    printf("%d %d\n", a, b);
    return 0;
}
