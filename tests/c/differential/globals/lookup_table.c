// Constant tables, indexed by what is computed.
#include <stdio.h>

static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
static const char digits[] = "0123456789abcdef";
static const int offsets[3][2] = {{-1, 0}, {0, 1}, {1, -1}};

static int day_of_year(int month, int day) {
    for (int m = 0; m < month - 1; m++) {
        day += days[m];
    }
    return day;
}

int main(void) {
    printf("%d %d\n", day_of_year(3, 1), day_of_year(12, 31));
    for (unsigned x = 0xbeef; x; x >>= 4) {
        putchar(digits[x & 15]);
    }
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum = 3 * sum + offsets[i][i % 2];
    }
    printf(" %d\n", sum);
    return 0;
}
