// Structs that travel in registers, in all shapes that fit there.
#include <stdio.h>

struct one { char c; };
struct three { char a, b, c; };
struct mixed { char c; int i; };
struct two_words { long a; int b; };
struct shorts { short v[4]; };
struct pointer { int *p; char tag; };

static struct one f1(struct one s) { s.c++; return s; }
static struct three f3(struct three s) { s.b += s.a; s.c = 'z'; return s; }
static struct mixed fm(struct mixed s) { s.i *= s.c; return s; }
static struct two_words fw(struct two_words s) { s.a += s.b; s.b = 0; return s; }
static struct shorts fs(struct shorts s) { s.v[3] = (short)(s.v[0] - s.v[1]); return s; }
static struct pointer fp(struct pointer s) { *s.p += s.tag; s.tag = 1; return s; }

int main(void) {
    printf("%d\n", f1((struct one){'a'}).c);
    struct three t = f3((struct three){1, 2, 3});
    printf("%d %d %d\n", t.a, t.b, t.c);
    struct mixed m = fm((struct mixed){-3, 1000});
    printf("%d %d\n", m.c, m.i);
    struct two_words w = fw((struct two_words){1L << 40, 7});
    printf("%ld %d\n", w.a, w.b);
    struct shorts s = fs((struct shorts){{1, 2, 3, 4}});
    printf("%d %d %d\n", s.v[0], s.v[2], s.v[3]);
    int x = 5;
    struct pointer p = fp((struct pointer){&x, 10});
    printf("%d %d %d\n", x, p.tag, p.p == &x);
    return 0;
}
