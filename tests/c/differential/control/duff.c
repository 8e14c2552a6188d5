// A loop that is entered through a switch.
#include <stdio.h>

static int copy(char *to, const char *from, int count) {
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
            // fall through
    case 3:
            *to++ = *from++;
            // fall through
    case 2:
            *to++ = *from++;
            // fall through
    case 1:
            *to++ = *from++;
        } while (--rounds > 0);
    }
    return count;
}

int main(void) {
    char buffer[16] = {0};
    int n = copy(buffer, "unrolled", 7);
    for (int i = 0; i < n; i++) {
        putchar(buffer[i]);
    }
    printf(" %d\n", buffer[7]);
    return 0;
}
