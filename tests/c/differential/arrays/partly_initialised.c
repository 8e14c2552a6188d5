// Global arrays of which only a part has initial values.
#include <stdio.h>

struct pair {
    int a;
    char b;
};

static const int some[100] = {1, 2, 3};
static short gap[64] = {[3] = 7, [40] = 9};
static int table[12][12] = {{1, 2}, {3}};
static struct pair pairs[50] = {{1, 'x'}, {2, 'y'}};
static char text[40] = "text";

int main(void) {
    int sum = 0, last = 0;
    for (int i = 0; i < 12; i++) {
        gap[5 * i] += some[i];
        sum += gap[4 * i] + pairs[4 * i].a + text[3 * i];
        for (int k = 0; k < 12; k++) {
            sum += table[i][k];
            table[i][k] = last++;
        }
    }
    printf("%d %d %d %d\n", sum, table[11][11], some[99], pairs[1].b);
    return 0;
}
