// The same bits as signed, unsigned and narrower numbers.
#include <stdio.h>

union bits {
    long long wide;
    unsigned long long uwide;
    int narrow;
    signed char tiny;
};

static union bits negated(union bits b) {
    b.uwide = -b.uwide;
    return b;
}

int main(void) {
    union bits b;
    b.wide = -2;
    printf("%llu %d %d\n", b.uwide, b.narrow, b.tiny);
    b.uwide = 0x80000000000000ffULL;
    printf("%lld %d %d\n", b.wide, b.narrow, b.tiny);
    b.narrow = 7;
    printf("%llx\n", b.uwide);
    b = negated(b);
    printf("%lld %d\n", b.wide, b.tiny);
    return 0;
}
