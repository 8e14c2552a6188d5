// Arrays handed over as pointers, and parts of them.
#include <stdio.h>

static int largest(const int v[], int n) {
    int best = v[0];
    for (int i = 1; i < n; i++) {
        if (v[i] > best) {
            best = v[i];
        }
    }
    return best;
}

static void reverse(int *v, int n) {
    for (int i = 0; i < n / 2; i++) {
        int t = v[i];
        v[i] = v[n - 1 - i];
        v[n - 1 - i] = t;
    }
}

int main(void) {
    int v[6] = {3, 9, 2, 8, 1, 7};
    printf("%d %d\n", largest(v, 6), largest(v + 2, 3));
    reverse(v + 1, 4);
    for (int i = 0; i < 6; i++) {
        printf("%d ", v[i]);
    }
    putchar('\n');
    return 0;
}
