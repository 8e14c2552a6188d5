// Members of anonymous structs and unions are members of the outer one.
#include <stdio.h>

struct value {
    char kind;
    union {
        int number;
        struct {
            short low, high;
        };
        unsigned char bytes[4];
    };
};

int main(void) {
    struct value v = {.kind = 'n', .number = 0x00030002};
    printf("%d %d\n", v.low, v.high);
    v.high = -1;
    printf("%x %d\n", (unsigned)v.number, v.bytes[3]);
    v.bytes[0] = 0xff;
    printf("%d %c\n", v.low, v.kind);
    return 0;
}
