// Unsigned arithmetic wraps around, in each width.
#include <stdio.h>

int main(void) {
    unsigned char c = 250;
    unsigned short s = 65530;
    unsigned u = 4294967290u;
    unsigned long long ull = 18446744073709551610ULL;
    for (int i = 0; i < 10; i++) {
        c++;
        s++;
        u++;
        ull++;
    }
    printf("%u %u %u %llu\n", c, s, u, ull);
    u = 0;
    u--;
    printf("%u\n", u);
    u = 3000000000u;
    printf("%u %u\n", u * 2, u + u + u);
    printf("%u\n", 5u - 7u);
    printf("%llu\n", 6364136223846793005ULL * 1442695040888963407ULL + 1);
    return 0;
}
