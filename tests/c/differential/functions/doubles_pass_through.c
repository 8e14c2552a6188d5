// Floating point numbers that are only stored and handed on.
#include <stdio.h>

struct reading {
    int id;
    double value;
};

static struct reading later;

static void keep(const struct reading *r) { later = *r; }

int main(void) {
    struct reading r = {7, 2.5};
    keep(&r);
    struct reading copies[2];
    copies[1] = later;
    printf("%d\n", copies[1].id);
    return 0;
}
