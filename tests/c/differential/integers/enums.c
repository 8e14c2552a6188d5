// Enumerations: implicit and explicit values, arithmetic, use as index.
#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE, COUNT = 3 };
enum sign { MINUS = -1, ZERO, PLUS };
typedef enum { LOW = 1 << 0, MIDDLE = 1 << 1, HIGH = 1 << 2 } level;

static enum sign sign_of(int x) { return x < 0 ? MINUS : x > 0 ? PLUS : ZERO; }

int main(void) {
    static const char *const names[] = {[RED] = "red", [GREEN] = "green", [BLUE] = "blue"};
    printf("%d %d %d %d\n", RED, GREEN, BLUE, COUNT);
    printf("%s %d\n", "red", names[1] == 0);
    printf("%d %d %d\n", sign_of(-9), sign_of(0), sign_of(9));
    level both = LOW | HIGH;
    printf("%d %d %d\n", both, (both & MIDDLE) != 0, (both & HIGH) != 0);
    enum colour c = RED;
    c = (enum colour)(c + 6);
    printf("%d %d\n", c == BLUE, names[c] != 0);
    return 0;
}
