// A cipher on a buffer, there and back.
#include <stdio.h>

static void rotate(char *text, int by) {
    for (; *text; text++) {
        if (*text >= 'a' && *text <= 'z') {
            *text = (char)('a' + (*text - 'a' + by + 26) % 26);
        }
    }
}

static void show(const char *text) {
    for (int i = 0; text[i]; i++) {
        putchar(text[i]);
    }
    putchar('\n');
}

int main(void) {
    char text[] = "xyz, warp and weft";
    rotate(text, 3);
    show(text);
    rotate(text, -3);
    show(text);
    return 0;
}
