// And, or, exclusive or, complement, and compound assignments with them.
#include <stdio.h>

int main(void) {
    unsigned a = 0xf0f0f0f0u, b = 0x0ff00ff0u;
    printf("%x %x %x %x\n", a & b, a | b, a ^ b, ~a);
    int s = -1;
    printf("%d %d %d\n", s & 0xff, s ^ 0xff, s | 0x10);
    unsigned flags = 0;
    flags |= 1u << 3;
    flags |= 1u << 5;
    flags &= ~(1u << 3);
    flags ^= 0x21;
    printf("%x\n", flags);
    unsigned char c = 0x5a;
    c = (unsigned char)~c;
    printf("%x\n", c);
    long mask = -4096L;
    printf("%lx\n", 0x12345L & mask);
    return 0;
}
