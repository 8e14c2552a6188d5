// Recursion with several arguments and a shared counter.
#include <stdio.h>

static int moves;

static void hanoi(int n, char from, char to, char by) {
    if (n == 0) {
        return;
    }
    hanoi(n - 1, from, by, to);
    moves++;
    printf("%c%c ", from, to);
    hanoi(n - 1, by, to, from);
}

int main(void) {
    hanoi(3, 'a', 'c', 'b');
    printf("\n%d\n", moves);
    return 0;
}
