// Unsigned bit-fields wrap in their own width.
#include <stdio.h>

struct flags {
    unsigned a : 1;
    unsigned b : 3;
    unsigned c : 12;
    unsigned d : 16;
};

int main(void) {
    struct flags f = {1, 7, 4095, 65535};
    printf("%d %d %d %d %zu\n", f.a, f.b, f.c, f.d, sizeof f);
    f.a++;
    f.b++;
    f.c += 2;
    f.d = f.d * 3;
    printf("%d %d %d %d\n", f.a, f.b, f.c, f.d);
    f.b = 5;
    f.c = 0xabc;
    printf("%d %d %d %d\n", f.a, f.b, f.c, f.d);
    struct flags g = f;
    g.a = 1;
    printf("%d %d %d\n", f.a, g.a, g.c == f.c);
    return 0;
}
