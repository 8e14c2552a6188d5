// A word seen as bit-fields and as a number, through a union.
#include <stdio.h>

union word {
    struct {
        unsigned low : 8;
        unsigned middle : 16;
        unsigned high : 8;
    } parts;
    unsigned whole;
};

int main(void) {
    union word w;
    w.whole = 0xaabbccddu;
    printf("%x %x %x\n", w.parts.low, w.parts.middle, w.parts.high);
    w.parts.middle = 0x1234;
    printf("%x\n", w.whole);
    w.parts.low++;
    w.parts.high = 0;
    printf("%x\n", w.whole);
    return 0;
}
