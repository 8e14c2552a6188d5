// The borders of a value in a sorted array.
#include <stdio.h>

static unsigned lower(const unsigned *v, unsigned n, unsigned x) {
    unsigned low = 0, high = n;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (v[middle] < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int main(void) {
    unsigned v[] = {1, 3, 3, 3, 7, 4000000000u};
    unsigned wanted[] = {0, 1, 2, 3, 5, 4000000000u, 4000000001u};
    for (int i = 0; i < 7; i++) {
        printf("%u ", lower(v, 6, wanted[i]));
    }
    putchar('\n');
    return 0;
}
