// exit() ends the program from within a function.
#include <stdio.h>
#include <stdlib.h>

static void check(int depth) {
    if (depth == 3) {
        puts("deep enough");
        exit(3);
    }
    check(depth + 1);
    puts("never");
}

int main(void) {
    check(0);
    puts("never");
    return 0;
}
