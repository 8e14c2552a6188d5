// Division truncates towards zero, and the remainder has the sign of the dividend.
#include <stdio.h>

int main(void) {
    int values[] = {7, -7, 8, -8, 0, 1, -1};
    int divisors[] = {3, -3, 2, -2};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 4; j++) {
            int q = values[i] / divisors[j], r = values[i] % divisors[j];
            printf("%d/%d=%d rest %d\n", values[i], divisors[j], q, r);
            if (q * divisors[j] + r != values[i]) {
                puts("wrong");
            }
        }
    }
    unsigned u = (unsigned)-7;
    printf("%u %u\n", u / 3, u % 3);
    long l = -9000000000L;
    printf("%ld %ld\n", l / 7, l % 7);
    return 0;
}
