// What is decided by the compiler, and only its result is left.
#include <stdio.h>

_Static_assert(sizeof(int) == 4, "int");
_Static_assert(sizeof(long) == 8, "long");
_Static_assert((unsigned char)300 == 44, "wrap");

enum { SIZE = 4 * sizeof(short) };

struct padded {
    char a;
    int b;
    char c;
    long d;
};

int main(void) {
    char buffer[SIZE];
    printf("%d %zu %zu\n", SIZE, sizeof buffer, sizeof(struct padded));
    printf("%zu %zu %zu\n", _Alignof(char), _Alignof(int), _Alignof(struct padded));
    printf("%zu %zu\n", sizeof(char *), sizeof "text");
    printf("%zu %zu\n", __builtin_offsetof(struct padded, b), __builtin_offsetof(struct padded, d));
    short s = 3;
    printf("%zu %zu\n", sizeof s, sizeof(s + 1));
    return 0;
}
