// Arithmetic on characters, and conversions by hand.
#include <stdio.h>

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }
static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : -1; }

int main(void) {
    const char *text = "Hello, World 42!";
    for (int i = 0; text[i]; i++) {
        putchar(upper(text[i]));
    }
    putchar('\n');
    int sum = 0;
    for (const char *p = text; *p; p++) {
        if (digit(*p) >= 0) {
            sum = 10 * sum + digit(*p);
        }
    }
    printf("%d %c %d\n", sum, 'a' + 3, 'z');
    for (char c = 'f'; c >= 'a'; c--) {
        printf("%c", c);
    }
    printf("%%\n");
    return 0;
}
