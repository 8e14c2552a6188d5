// Recursion in an argument.
#include <stdio.h>

static unsigned ack(unsigned m, unsigned n) {
    if (m == 0) {
        return n + 1;
    }
    return n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}

int main(void) {
    printf("%u %u %u\n", ack(1, 4), ack(2, 2), ack(2, 4));
    return 0;
}
