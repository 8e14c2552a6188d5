// A pointer survives the way through an integer, and a number through a pointer.
#include <stdint.h>
#include <stdio.h>

static long carry(void *p) { return (long)p; }

int main(void) {
    int v[3] = {7, 8, 9};
    uintptr_t address = (uintptr_t)&v[1];
    int *back = (int *)address;
    printf("%d\n", *back);
    *back = 80;
    printf("%d\n", v[1]);
    printf("%ld %ld\n", carry((void *)(intptr_t)42), carry((void *)(intptr_t)-1));
    printf("%d\n", (void *)(intptr_t)0 == 0);
    return 0;
}
