// Texts that are formatted, whole and cut off.
#include <limits.h>
#include <stdio.h>
#include <string.h>

static void show(const char *text, int length) {
    printf("%d:", length);
    for (; *text; text++) {
        putchar(*text);
    }
    putchar('\n');
}

int main(void) {
    char text[64];
    for (int job = -2; job <= 110; job += 37) {
        show(text, snprintf(text, sizeof text, "job %d of %s", job, "weaver"));
    }
    show(text, snprintf(text, 6, "%s%d", "warp", 1234));
    show(text, snprintf(text, 1, "%c%c", 'a', 'b'));
    printf("%d\n", snprintf(NULL, 0, "%u%%", 4000000000u));
    show(text, sprintf(text, "[%5d|%-5d|%05d|%+d|% d]", 42, 42, -42, 42, 42));
    show(text, sprintf(text, "%x %X %o %lu %ld", 0xbeefu, 0xBEEFu, 8u, ULONG_MAX, LONG_MIN));
    show(text, sprintf(text, "[%6s|%-6s|%.2s|%3c]", "weft", "weft", "weft", 'z'));
    show(text, sprintf(text, "plain"));
    show(text, sprintf(text, "%d", 0));
    char both[16] = "";
    for (int i = 0; i < 3; i++) {
        snprintf(both + strlen(both), sizeof both - strlen(both), "%d,", i * 1000);
    }
    show(both, (int)strlen(both));
    return 0;
}
