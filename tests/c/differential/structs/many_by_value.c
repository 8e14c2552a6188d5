// Several structs at once: some in registers, some in memory, and a result in memory.
#include <stdio.h>

struct a { int x; };
struct b { long x, y; };
struct c { long v[4]; };

static struct c combine(struct a a, struct c c, struct b b, int extra, struct a last) {
    c.v[0] += a.x;
    c.v[1] += b.x;
    c.v[2] += b.y;
    c.v[3] += extra * last.x;
    return c;
}

int main(void) {
    struct c base = {{1, 2, 3, 4}};
    struct c r = combine((struct a){10}, base, (struct b){20, 30}, 5, (struct a){8});
    printf("%ld %ld %ld %ld\n", r.v[0], r.v[1], r.v[2], r.v[3]);
    struct c (*f)(struct a, struct c, struct b, int, struct a) = combine;
    r = f((struct a){1}, r, (struct b){1, 1}, -1, (struct a){1});
    printf("%ld %ld %ld\n", r.v[0], r.v[3], base.v[0]);
    return 0;
}
