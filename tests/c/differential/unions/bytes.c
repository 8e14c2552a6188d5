// A number and its bytes share memory; the machine is little-endian.
#include <stdio.h>

union word {
    unsigned number;
    unsigned char bytes[4];
    unsigned short halves[2];
};

int main(void) {
    union word w = {.number = 0x11223344};
    printf("%x %x %x\n", w.bytes[0], w.bytes[3], w.halves[1]);
    w.bytes[1] = 0xff;
    printf("%x\n", w.number);
    w.halves[1] = 0xabcd;
    printf("%x\n", w.number);
    unsigned char t = w.bytes[0];
    w.bytes[0] = w.bytes[3];
    w.bytes[3] = t;
    printf("%x\n", w.number);
    return 0;
}
