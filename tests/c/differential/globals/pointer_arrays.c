// Arrays of pointers to variables and to strings.
#include <stdio.h>

static int a = 1, b = 2, c = 3;
static int *vars[] = {&a, &b, &c, 0};
static const char *words[] = {"alpha", "beta", "gamma"};

static int length(const char *s) {
    int n = 0;
    while (s[n]) {
        n++;
    }
    return n;
}

int main(void) {
    for (int **p = vars; *p; p++) {
        **p *= 10;
    }
    printf("%d %d %d\n", a, b, c);
    int total = 0;
    for (int i = 0; i < 3; i++) {
        total += length(words[i]);
        putchar(words[i][i]);
    }
    printf(" %d\n", total);
    vars[0] = vars[2];
    *vars[0] = 5;
    printf("%d %d\n", a, c);
    return 0;
}
