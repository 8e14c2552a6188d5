// The builtins that compute and tell whether the result fits.
#include <limits.h>
#include <stdio.h>

int main(void) {
    int r;
    unsigned u;
    long l;
    printf("%d", __builtin_add_overflow(INT_MAX, 1, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_sub_overflow(INT_MIN, 1, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(65536, 65536, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(-4, 5, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_uadd_overflow(4000000000u, 500000000u, &u));
    printf(" %u\n", u);
    printf("%d", __builtin_usub_overflow(3u, 4u, &u));
    printf(" %u\n", u);
    printf("%d", __builtin_saddl_overflow(LONG_MAX, -1L, &l));
    printf(" %ld\n", l);
    return 0;
}
