// A text is split into words in place, with an array of pointers to them.
#include <stdio.h>

static int split(char *text, char *words[], int most) {
    int n = 0;
    while (*text && n < most) {
        while (*text == ' ') {
            *text++ = 0;
        }
        if (!*text) {
            break;
        }
        words[n++] = text;
        while (*text && *text != ' ') {
            text++;
        }
    }
    return n;
}

int main(void) {
    char text[] = " to  err is human ";
    char *words[8];
    int n = split(text, words, 8);
    printf("%d", n);
    for (int i = n - 1; i >= 0; i--) {
        putchar(' ');
        for (char *p = words[i]; *p; p++) {
            putchar(*p);
        }
    }
    putchar('\n');
    return 0;
}
