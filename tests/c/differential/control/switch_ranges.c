// Case ranges, and switches over characters and 64-bit values.
#include <stdio.h>

static char class_of(char c) {
    switch (c) {
    case '0' ... '9':
        return 'd';
    case 'a' ... 'z':
    case 'A' ... 'Z':
        return 'l';
    case ' ':
        return 's';
    }
    return '?';
}

static int size_of(unsigned long long x) {
    switch (x) {
    case 0:
        return 0;
    case 1ULL << 40:
        return 40;
    case 0xffffffffffffffffULL:
        return 64;
    default:
        return -1;
    }
}

int main(void) {
    const char text[] = "a Z9-";
    for (unsigned i = 0; i + 1 < sizeof text; i++) {
        putchar(class_of(text[i]));
    }
    printf("\n%d %d %d %d\n", size_of(0), size_of(1ULL << 40), size_of(-1ULL), size_of(256));
    return 0;
}
