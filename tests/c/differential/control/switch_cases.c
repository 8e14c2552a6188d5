// A switch with several labels per case, fall-through and a default in the middle.
#include <stdio.h>

static int weight(int x) {
    int w = 0;
    switch (x) {
    case 1:
    case 2:
        w += 10;
        break;
    default:
        w += 100;
        break;
    case 3:
        w += 1;
        // fall through
    case 4:
        w += 2;
        // fall through
    case -7:
        w += 4;
    }
    return w;
}

int main(void) {
    for (int i = -8; i < 6; i++) {
        printf("%d ", weight(i));
    }
    putchar('\n');
    return 0;
}
