// Structs as parameters and results: the callee has a copy.
#include <stdio.h>

struct small {
    int a, b;
};

static struct small turned(struct small s) {
    int t = s.a;
    s.a = s.b;
    s.b = -t;
    return s;
}

int main(void) {
    struct small s = {1, 2};
    struct small t = turned(s);
    printf("%d %d %d %d\n", s.a, s.b, t.a, t.b);
    t = turned(turned(t));
    printf("%d %d\n", t.a, t.b);
    printf("%d\n", turned((struct small){5, 6}).a);
    return 0;
}
