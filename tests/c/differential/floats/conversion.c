// To and from integers, between the sizes, and functions of <math.h>.
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long wide(double number) {
    unsigned long bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static const long integers[] = {0, 1, -1, 16777217, -16777219, (1L << 53) + 1, -(1L << 62) - 3};
static const double reals[] = {0.5, -0.5, 1.5, -1.5, 2.5, 0.49999999999999994, -7.999, 123456789.75, 1e17};

int main(void) {
    for (int i = 0; i < 7; i++) {
        long given = integers[i];
        printf("%lx %lx ", wide((double)given), wide((float)given));
        printf("%lx %lx ", wide((double)(unsigned long)given), wide((float)(unsigned char)given));
        printf("%ld\n", (long)(double)given);
    }
    for (int i = 0; i < 9; i++) {
        double given = reals[i];
        printf("%ld %d %u ", (long)given, given < 1e4 ? (short)given : 0, given < 0 || given > 200 ? 0u : (unsigned char)given);
        printf("%lx %lx %lx %lx ", wide(floor(given)), wide(ceil(given)), wide(trunc(given)), wide(round(given)));
        printf("%lx %lx %lx\n", wide(sqrt(fabs(given))), wide((float)given), wide(copysign(2.0, given)));
    }
    return 0;
}
