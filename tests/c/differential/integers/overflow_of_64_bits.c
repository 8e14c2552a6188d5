// Whether sums, differences and products of the widest integers fit.
#include <stdint.h>
#include <stdio.h>

static int64_t s[] = {0, 1, -1, 2, -2, 3037000500, -3037000500, INT64_MAX, INT64_MIN, INT64_MAX - 1};
static uint64_t u[] = {0, 1, 2, 4294967296, 4294967295, UINT64_MAX, UINT64_MAX - 1, UINT64_MAX / 2};

int main(void) {
    unsigned all = 0;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            int64_t r;
            int bits = __builtin_add_overflow(s[i], s[j], &r) | __builtin_sub_overflow(s[i], s[j], &r) << 1 |
                       __builtin_mul_overflow(s[i], s[j], &r) << 2;
            all = all * 31 + bits;
        }
    printf("%u\n", all);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            uint64_t r;
            int bits = __builtin_add_overflow(u[i], u[j], &r) | __builtin_sub_overflow(u[i], u[j], &r) << 1 |
                       __builtin_mul_overflow(u[i], u[j], &r) << 2;
            all = all * 31 + bits;
        }
    printf("%u\n", all);
    uint64_t r;
    printf("%d %d\n", __builtin_mul_overflow(u[3], 4294967295u, &r), __builtin_mul_overflow(u[3], 4294967296u, &r));
}
