// Functions that call each other.
#include <stdio.h>

static int odd(int n);

static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

static int male(int n);
static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }

int main(void) {
    printf("%d %d %d\n", even(10), odd(10), even(7));
    for (int i = 0; i < 7; i++) {
        printf("%d/%d ", female(i), male(i));
    }
    putchar('\n');
    return 0;
}
