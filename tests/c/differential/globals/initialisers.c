// Initialisers of scalars and arrays; what is not named is zero.
#include <stdio.h>

int a = 5, b;
static unsigned char c = 300 - 100;
long d = -1L;
int v[5] = {1, 2};
int w[] = {[3] = 9, [1] = 4, 5};
static short m[2][3] = {{1, 2}, {[2] = 7}};
char text[8] = "abc";
char exact[3] = {'x', 'y', 'z'};

int main(void) {
    printf("%d %d %d %ld\n", a, b, c, d);
    printf("%d %d %d\n", v[0], v[1], v[4]);
    for (unsigned i = 0; i < sizeof w / sizeof *w; i++) {
        printf("%d ", w[i]);
    }
    printf("%d %d %d\n", m[0][1], m[1][0], m[1][2]);
    printf("%c %d %c\n", text[2], text[3], exact[2]);
    return 0;
}
