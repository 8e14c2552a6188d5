// Exchange of neighbours until nothing is left to exchange.
#include <stdio.h>

int main(void) {
    int v[] = {5, -1, 4, 4, 0, 9};
    int n = sizeof v / sizeof *v, swapped;
    do {
        swapped = 0;
        for (int i = 1; i < n; i++) {
            if (v[i - 1] > v[i]) {
                int t = v[i];
                v[i] = v[i - 1];
                v[i - 1] = t;
                swapped = 1;
            }
        }
        n--;
    } while (swapped);
    for (int i = 0; i < 6; i++) {
        printf("%d ", v[i]);
    }
    putchar('\n');
    return 0;
}
