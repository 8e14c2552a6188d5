// A checksum with a table that is computed first.
#include <stdio.h>

static unsigned table[16];

static unsigned crc(const char *text) {
    unsigned c = ~0u;
    for (; *text; text++) {
        c ^= (unsigned char)*text;
        c = c >> 4 ^ table[c & 15];
        c = c >> 4 ^ table[c & 15];
    }
    return ~c;
}

int main(void) {
    for (unsigned i = 0; i < 16; i++) {
        unsigned c = i;
        for (int k = 0; k < 4; k++) {
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        }
        table[i] = c;
    }
    printf("%x %x\n", crc("123456789"), crc(""));
    return 0;
}
