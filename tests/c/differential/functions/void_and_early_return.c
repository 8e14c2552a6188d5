// Functions without result, and with several returns.
#include <stdio.h>

static int log_count;

static void note(int level) {
    if (level < 2) {
        return;
    }
    log_count++;
    if (level > 5) {
        log_count += 10;
        return;
    }
    log_count += 100;
}

static int first_divisor(int n) {
    for (int d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return d;
        }
    }
    return n;
}

int main(void) {
    for (int i = 0; i < 8; i += 3) {
        note(i);
    }
    printf("%d\n", log_count);
    printf("%d %d %d\n", first_divisor(91), first_divisor(97), first_divisor(2));
    return 0;
}
