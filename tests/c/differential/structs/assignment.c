// Assignment copies all members, arrays included.
#include <stdio.h>

struct inner {
    short v[3];
    char c;
};

struct outer {
    struct inner a, b;
    int n;
};

int main(void) {
    struct outer x = {{{1, 2, 3}, 'x'}, {{4, 5, 6}, 'y'}, 7}, y;
    y = x;
    y.a = y.b;
    y.b.v[1] = 50;
    x.n = y.n + 1;
    printf("%d %c %d %d %d\n", y.a.v[2], y.a.c, y.b.v[1], x.b.v[1], x.n);
    struct outer *p = &x, *q = &y;
    *p = *q;
    q->n = -1;
    printf("%d %d %d\n", p->n, p->a.v[0], q->n);
    struct inner three[3] = {x.a, y.b, {{0}, 0}};
    three[2] = three[1];
    printf("%d %d\n", three[2].v[1], three[0].c);
    return 0;
}
