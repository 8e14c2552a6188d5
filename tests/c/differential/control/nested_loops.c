// Loops in loops, left early at both levels.
#include <stdio.h>

int main(void) {
    int found = 0;
    for (int a = 1; a < 12; a++) {
        for (int b = a; b < 12; b++) {
            for (int c = b; c < 14; c++) {
                if (a * a + b * b == c * c) {
                    printf("%d %d %d\n", a, b, c);
                    found++;
                    break;
                }
            }
        }
        if (found == 2) {
            break;
        }
    }
    printf("%d\n", found);
    return 0;
}
