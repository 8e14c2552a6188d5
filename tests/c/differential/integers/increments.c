// Prefix and postfix, on variables, elements and through pointers.
#include <stdio.h>

int main(void) {
    int i = 5;
    int a = i++;
    int b = ++i;
    int c = i--;
    int d = --i;
    printf("%d %d %d %d %d\n", a, b, c, d, i);
    int v[3] = {1, 2, 3};
    int *p = v;
    int x = *p++;
    int y = ++*p;
    int z = (*p)++;
    printf("%d %d %d %d %d %d\n", x, y, z, v[0], v[1], v[2]);
    int k = 0;
    v[k++] = 10;
    v[k] = k ? 7 : 8;
    ++k;
    printf("%d %d %d %d\n", v[0], v[1], v[2], k);
    unsigned char w = 255;
    w++;
    signed char n = -127;
    n--;
    printf("%d %d\n", w, n);
    return 0;
}
