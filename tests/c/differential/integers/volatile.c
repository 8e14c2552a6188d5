// Accesses to volatile variables stay, in order.
#include <stdio.h>

static volatile int port;

static int pulse(volatile int *p, int times) {
    int seen = 0;
    for (int i = 0; i < times; i++) {
        *p = *p + 1;
        seen += *p;
    }
    return seen;
}

int main(void) {
    int a = pulse(&port, 3);
    volatile unsigned char narrow = 254;
    narrow += 3;
    printf("%d %d %d\n", a, port, narrow);
    return 0;
}
