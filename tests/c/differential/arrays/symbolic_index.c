// Elements whose index is computed.
#include <stdio.h>

int main(void) {
    int v[8] = {0};
    unsigned x = 7;
    for (int i = 0; i < 20; i++) {
        x = x * 13 + 5;
        v[x % 8] += i;
    }
    for (int i = 0; i < 8; i++) {
        printf("%d ", v[i]);
    }
    putchar('\n');
    int at = 3;
    v[at] = at;
    v[v[at]] = 9;
    v[v[3] - 5] = v[at] - 1;
    printf("%d %d\n", v[3], v[4]);
    return 0;
}
