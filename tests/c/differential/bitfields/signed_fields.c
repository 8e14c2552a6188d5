// Signed bit-fields keep their sign.
#include <stdio.h>

struct fields {
    signed int a : 4;
    signed int b : 7;
    int : 0;
    signed int c : 20;
    unsigned char d : 2;
};

int main(void) {
    struct fields f = {.a = -8, .b = 63, .c = -500000, .d = 3};
    printf("%d %d %d %d\n", f.a, f.b, f.c, f.d);
    f.a = 7;
    f.b = -f.b - 1;
    f.c = f.c / 7;
    printf("%d %d %d %zu\n", f.a, f.b, f.c, sizeof f);
    for (int i = -3; i < 3; i++) {
        f.a = i;
        printf("%d ", f.a * 2);
    }
    putchar('\n');
    return 0;
}
