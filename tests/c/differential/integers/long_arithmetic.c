// Arithmetic beyond 32 bits.
#include <stdio.h>

static long long power(long long base, int exponent) {
    long long result = 1;
    while (exponent-- > 0) {
        result *= base;
    }
    return result;
}

static unsigned long modular(unsigned long base, unsigned exponent, unsigned long modulus) {
    unsigned long result = 1;
    for (base %= modulus; exponent; exponent >>= 1) {
        if (exponent & 1) {
            result = result * base % modulus;
        }
        base = base * base % modulus;
    }
    return result;
}

int main(void) {
    printf("%lld %lld %lld\n", power(3, 30), power(-7, 21), power(10, 18));
    printf("%lu\n", modular(123456, 789, 1000003));
    long a = 4000000000L, b = 3;
    printf("%ld %ld %ld %ld\n", a * b, a - b * a, -a / b, -a % b);
    return 0;
}
