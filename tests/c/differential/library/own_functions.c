// A program that has functions of its own with the names of library functions.
#include <stdio.h>

typedef unsigned long size_t;

static int calls;

size_t strlen(const char *text) {
    size_t n = 0;
    calls++;
    while (text[n]) {
        n++;
    }
    return n;
}

int isdigit(int c) { return c == 'd'; }

int main(void) {
    char text[] = "four";
    printf("%zu %d %d\n", strlen(text), isdigit('d'), isdigit('4'));
    printf("%d\n", calls);
    return 0;
}
