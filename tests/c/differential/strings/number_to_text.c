// Numbers become text and text becomes numbers.
#include <stdio.h>

static int to_text(long x, unsigned base, char *out) {
    char digits[70];
    int n = 0, length = 0;
    unsigned long u = x < 0 ? -(unsigned long)x : (unsigned long)x;
    do {
        digits[n++] = "0123456789abcdef"[u % base];
        u /= base;
    } while (u);
    if (x < 0) {
        out[length++] = '-';
    }
    while (n) {
        out[length++] = digits[--n];
    }
    out[length] = 0;
    return length;
}

static long to_number(const char *s) {
    long sign = 1, x = 0;
    if (*s == '-') {
        sign = -1;
        s++;
    }
    while (*s >= '0' && *s <= '9') {
        x = 10 * x + (*s++ - '0');
    }
    return sign * x;
}

int main(void) {
    char text[72];
    long values[] = {0, 42, -1234567, 1L << 40};
    for (int i = 0; i < 4; i++) {
        int n = to_text(values[i], i % 2 ? 16 : 10, text);
        for (char *p = text; *p; p++) {
            putchar(*p);
        }
        printf(" %d %d\n", n, i % 2 || to_number(text) == values[i]);
    }
    return 0;
}
