// String functions written by hand, in the terse way.
#include <stdio.h>

static unsigned length(const char *s) {
    const char *p = s;
    while (*p++) {
    }
    return (unsigned)(p - s - 1);
}

static void copy(char *to, const char *from) {
    while ((*to++ = *from++)) {
    }
}

static int compare(const char *a, const char *b) {
    for (; *a && *a == *b; a++, b++) {
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static void reverse(char *s) {
    for (char *e = s + length(s) - 1; s < e; s++, e--) {
        char t = *s;
        *s = *e;
        *e = t;
    }
}

int main(void) {
    char buffer[10];
    copy(buffer, "strings");
    reverse(buffer);
    printf("%u %d %d ", length(buffer), compare(buffer, "strings") < 0, compare("a\xff", "a") > 0);
    for (const char *p = buffer; *p; p++) {
        putchar(*p);
    }
    putchar('\n');
    return 0;
}
