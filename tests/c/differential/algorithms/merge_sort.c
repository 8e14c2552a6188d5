// Merging with a buffer.
#include <stdio.h>
#include <string.h>

static void sort(short *v, short *buffer, int n) {
    if (n < 2) {
        return;
    }
    int half = n / 2, i = 0, j = half, k = 0;
    sort(v, buffer, half);
    sort(v + half, buffer, n - half);
    while (i < half || j < n) {
        buffer[k++] = j == n || (i < half && v[i] <= v[j]) ? v[i++] : v[j++];
    }
    memcpy(v, buffer, (size_t)n * sizeof *v);
}

int main(void) {
    short v[6] = {300, -5, 12, 0, 12, -400}, buffer[6];
    sort(v, buffer, 6);
    for (int i = 0; i < 6; i++) {
        printf("%hd ", v[i]);
    }
    putchar('\n');
    return 0;
}
