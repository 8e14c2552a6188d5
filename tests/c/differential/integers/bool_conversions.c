// A _Bool is 0 or 1, whatever is stored into it.
#include <stdbool.h>
#include <stdio.h>

static bool is_even(int x) { return !(x & 1); }

int main(void) {
    bool b = 256;
    printf("%d\n", b);
    b = 0;
    printf("%d\n", b);
    int x = 5;
    int *p = &x;
    b = p;
    printf("%d %d\n", b, (bool)-3);
    printf("%d %d %d\n", is_even(4), is_even(5), is_even(-6));
    printf("%d %d\n", !x, !!x);
    int count = 0;
    for (int i = 0; i < 10; i++) {
        count += is_even(i * i);
    }
    printf("%d %zu\n", count, sizeof(bool));
    b = true;
    b &= false;
    printf("%d %d\n", b, b + true + true);
    return 0;
}
