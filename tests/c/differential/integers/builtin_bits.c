// The compiler's builtins on bits.
#include <stdio.h>

int main(void) {
    unsigned values[] = {1, 2, 0x00f0, 0x80000000u, 0xffffffffu};
    for (int i = 0; i < 5; i++) {
        unsigned v = values[i];
        printf("%d %d %d %d %x\n", __builtin_popcount(v), __builtin_clz(v), __builtin_ctz(v),
               __builtin_parity(v), __builtin_bswap32(v));
    }
    unsigned long long w = 0x0123456789abcdefULL;
    printf("%d %d %d %llx\n", __builtin_popcountll(w), __builtin_clzll(w), __builtin_ctzll(w),
           (unsigned long long)__builtin_bswap64(w));
    printf("%x %d\n", __builtin_bswap16(0x1234), __builtin_ffs(40));
    if (__builtin_expect(w == 0, 0)) {
        puts("unlikely");
    } else {
        puts("likely");
    }
    return 0;
}
