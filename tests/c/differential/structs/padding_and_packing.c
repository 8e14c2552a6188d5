// Sizes and offsets with padding, packed and aligned.
#include <stddef.h>
#include <stdio.h>

struct loose { char a; short b; char c; int d; };
struct __attribute__((packed)) tight { char a; short b; char c; int d; };
struct __attribute__((aligned(16))) wide { char a; };

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct loose), sizeof(struct tight), sizeof(struct wide));
    printf("%zu %zu\n", offsetof(struct loose, d), offsetof(struct tight, d));
    struct tight t[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    t[1].d += t[0].b;
    t[0].d = -1;
    printf("%d %d %d %d\n", t[0].c, t[0].d, t[1].a, t[1].d);
    return 0;
}
