// Pointers to pointers, three deep.
#include <stdio.h>

static void advance(const char **text) {
    while (**text == ' ') {
        ++*text;
    }
}

int main(void) {
    int a = 1, b = 2;
    int *p = &a, *q = &b;
    int **pp = &p;
    int ***ppp = &pp;
    ***ppp = 10;
    *pp = q;
    **pp += 5;
    pp = &q;
    *ppp = pp;
    ***ppp *= 2;
    printf("%d %d %d\n", a, b, *p == *q);
    const char *text = "   word";
    advance(&text);
    printf("%c\n", *text);
    int *swap = p;
    p = q;
    q = swap;
    printf("%d\n", p == q);
    return 0;
}
