// main with parameters, which are not looked at, and a fall off its end.
#include <stdio.h>

static int initial = 4;

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 100) {
        return 9;
    }
    printf("%d\n", initial);
}
