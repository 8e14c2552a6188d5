// main looks at its parameters.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    int seen = 0;
    for (char **next = argv; *next; next++) {
        seen++;
    }
    printf("%d %d %d\n", argc, seen, strlen(argv[0]) > 0);
    return argv[argc] == NULL ? 0 : 1;
}
