// Operands narrower than int are promoted before anything is computed.
#include <stdio.h>

int main(void) {
    unsigned char a = 200, b = 100;
    signed char c = -56;
    unsigned short s = 65535;
    printf("%d\n", a + b);
    printf("%d\n", (unsigned char)(a + b));
    printf("%d\n", a == (unsigned char)c);
    printf("%d\n", a == c);
    printf("%d\n", ~a);
    printf("%d\n", -s);
    printf("%d\n", s + 1);
    printf("%d\n", a << 4);
    printf("%d\n", (unsigned char)(a << 4) >> 4);
    printf("%d\n", -a / 3);
    return 0;
}
