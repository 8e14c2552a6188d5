// `vsnprintf` in a function of the program.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char text[40];

static int format(const char *how, ...) {
    va_list arguments;
    va_start(arguments, how);
    int length = vsnprintf(text, sizeof text, how, arguments);
    va_end(arguments);
    return length;
}

static unsigned sum(void) {
    unsigned total = 0;
    for (int i = 0; text[i]; i++) {
        total = 31 * total + (unsigned char)text[i];
    }
    return total;
}

int main(void) {
    int length = format("%d%% of %s", 42, "all");
    printf("%d %u\n", length, sum());
    length = format("[%-6s|%5d|%05d|%+d|% d]", "ab", -12, 7, 3, 4);
    printf("%d %u\n", length, sum());
    length = format("%lu %x %X %o %c %.2s", 1UL << 40, 255u, 255u, 8u, 'z', "xyz");
    printf("%d %u\n", length, sum());
    length = format("%s and %s and %s", "a long text", "another long text", "what is too much");
    printf("%d %d %u\n", length, (int)strlen(text), sum());
    return 0;
}
