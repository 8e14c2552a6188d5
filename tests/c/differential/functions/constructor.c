// A function that runs before main.
#include <stdio.h>

static int ready = 1;
static int table[4];

__attribute__((constructor)) static void prepare(void) {
    for (int i = 0; i < 4; i++) {
        table[i] = i * i + ready;
    }
    ready = 2;
}

int main(void) {
    printf("%d %d %d\n", ready, table[0], table[3]);
    return 0;
}
