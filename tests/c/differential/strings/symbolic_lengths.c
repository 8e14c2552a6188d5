// Copies whose length and place are computed.
#include <stdio.h>
#include <string.h>

int main(void) {
    char from[12] = "abcdefghijk", to[12];
    for (int n = 0; n < 5; n++) {
        memset(to, '.', sizeof to);
        memcpy(to + n, from + n + 2, (size_t)n + 1);
        for (int i = 0; i < 10; i++) {
            putchar(to[i]);
        }
        putchar('\n');
    }
    return 0;
}
