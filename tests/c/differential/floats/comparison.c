// Comparisons, also of what has no value, and zeros of both signs.
#include <stdio.h>

static double zero;

static void compare(double a, double b) {
    printf("%d%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b, !(a < b));
}

int main(void) {
    double nothing = zero / zero, infinite = 1 / zero;
    double all[] = {-infinite, -2.5, -0.0, 0.0, 1e-310, 2.5, infinite, nothing};
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            compare(all[i], all[j]);
        }
        printf("\n");
    }
    float third = 1.0f / 3;
    printf("%d %d %d\n", third == 1.0 / 3, third > 0.3f, third ? 1 : 0);
    return 0;
}
