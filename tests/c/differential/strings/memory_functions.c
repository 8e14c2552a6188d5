// memcpy, memset, memmove and memcmp on arrays of bytes.
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned char a[8], b[8];
    memset(a, 7, sizeof a);
    memset(a + 2, 0, 3);
    memcpy(b, a, sizeof b);
    b[7] = 8;
    printf("%d %d %d\n", a[1], a[4], b[7]);
    printf("%d %d\n", memcmp(a, b, 7) == 0, memcmp(a, b, 8) < 0);
    for (unsigned char i = 0; i < 8; i++) {
        a[i] = i;
    }
    memmove(a + 1, a, 5);
    printf("%d %d %d %d\n", a[0], a[1], a[5], a[6]);
    memmove(a, a + 2, 6);
    printf("%d %d %d\n", a[0], a[3], a[5]);
    return 0;
}
