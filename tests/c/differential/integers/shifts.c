// Shifts of signed and unsigned values, by constants and by variables.
#include <stdio.h>

int main(void) {
    unsigned u = 0x80000001u;
    int i = -64;
    long long ll = -1LL;
    for (int by = 0; by < 32; by += 7) {
        printf("%x %x %d\n", u << by, u >> by, i >> by);
    }
    printf("%lld %llx\n", ll >> 63, (unsigned long long)ll >> 60);
    unsigned short s = 0x8000;
    printf("%d %d\n", s << 1, (unsigned short)(s << 1));
    unsigned long one = 1;
    printf("%lu %lu\n", one << 40, one << 63);
    u <<= 3;
    i >>= 2;
    printf("%x %d\n", u, i);
    return 0;
}
