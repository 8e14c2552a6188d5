// A switch in a loop in a switch: break and continue leave different things.
#include <stdio.h>

static int run(int mode) {
    int result = 0;
    switch (mode) {
    case 0:
        for (int i = 0; i < 6; i++) {
            switch (i % 3) {
            case 0:
                continue;
            case 1:
                result += i;
                break;
            default:
                result += 10 * i;
            }
            result++;
        }
        break;
    case 1: {
        int i = 5;
        while (1) {
            if (i-- == 2) {
                break;
            }
            result += i;
        }
    } break;
    }
    return result;
}

int main(void) {
    printf("%d %d %d\n", run(0), run(1), run(2));
    return 0;
}
