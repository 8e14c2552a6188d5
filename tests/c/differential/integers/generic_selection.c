// _Generic picks by type, __typeof__ copies one, and long constants get theirs by size.
#include <stdio.h>

#define KIND(x) _Generic((x), int: 1, unsigned: 2, long: 3, unsigned long: 4, char *: 5, default: 9)

int main(void) {
    short s = 3;
    __typeof__(s + 1) promoted = s;
    const char *text = "a" "b" "c";
    printf("%d %d %d %d\n", KIND(1), KIND(2u), KIND(3L), KIND(s));
    printf("%d %d %d\n", KIND(+s), KIND(2147483648), KIND(0xffffffff));
    printf("%d %c\n", promoted, text[2]);
    return 0;
}
