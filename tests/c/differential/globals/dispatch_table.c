// A table of structs with functions, as drivers have.
#include <stdio.h>

struct device {
    int (*open)(int);
    int (*read)(int, int);
    int base;
};

static int plain_open(int n) { return n + 1; }
static int plain_read(int h, int n) { return h * n; }
static int odd_open(int n) { return 2 * n + 1; }
static int odd_read(int h, int n) { return h - n; }

static const struct device devices[] = {
    {plain_open, plain_read, 100},
    {.base = 200, .open = odd_open, .read = odd_read},
};

int main(void) {
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        const struct device *d = &devices[i];
        int handle = d->open((int)i + 3);
        printf("%d %d\n", handle, d->base + d->read(handle, 5));
    }
    return 0;
}
