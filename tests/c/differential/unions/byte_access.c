// The bytes of an object through a character pointer.
#include <stdio.h>

static unsigned checksum(const void *data, unsigned size) {
    const unsigned char *p = data;
    unsigned sum = 0;
    while (size--) {
        sum = sum * 31 + *p++;
    }
    return sum;
}

int main(void) {
    int i = 0x01020304;
    long v[2] = {-1, 0x7f};
    struct { short a, b; } s = {-2, 3};
    printf("%x %x %x\n", checksum(&i, sizeof i), checksum(v, sizeof v), checksum(&s, sizeof s));
    unsigned char *p = (unsigned char *)&i;
    p[2] = 0xee;
    printf("%x\n", (unsigned)i);
    return 0;
}
