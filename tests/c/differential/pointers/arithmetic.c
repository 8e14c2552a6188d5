// Steps of a pointer are elements, whatever their size.
#include <stdio.h>

struct wide {
    char a;
    long b;
    short c;
};

int main(void) {
    int v[6] = {1, 2, 3, 4, 5, 6};
    int *p = v + 1, *q = &v[5];
    printf("%ld %d %d %d\n", (long)(q - p), p < q, p == v + 1, *(q - 2));
    p += 2;
    --q;
    printf("%d %d %d\n", *p, *q, p[-1]);
    struct wide w[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    struct wide *r = w + 2;
    printf("%ld %ld %d\n", (r - 1)->b, (long)(r - w), 2 [w].a);
    char *bytes = (char *)v;
    printf("%ld\n", (long)((char *)(v + 3) - bytes));
    int sum = 0;
    for (int *s = v; s != v + 6; s += 2) {
        sum += *s;
    }
    printf("%d\n", sum);
    return 0;
}
