// The right operand is evaluated only if it is needed.
#include <stdio.h>

static int calls;

static int yes(int n) {
    calls += n;
    return 1;
}

static int no(int n) {
    calls += n;
    return 0;
}

int main(void) {
    int r = yes(1) && no(10) && yes(100);
    printf("%d %d\n", r, calls);
    r = no(1000) || yes(10000) || no(100000);
    printf("%d %d\n", r, calls);
    calls = 0;
    r = (yes(1) || yes(2)) && !(no(4) && yes(8));
    printf("%d %d\n", r, calls);
    int *p = 0;
    if (p && *p > 3) {
        puts("never");
    }
    int v = 3;
    p = &v;
    printf("%d\n", !p || *p == 3);
    return 0;
}
