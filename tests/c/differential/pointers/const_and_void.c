// Pointers to const, const pointers, and pointers without a type.
#include <stdio.h>

static int read_as(const void *data, char type) {
    switch (type) {
    case 'c':
        return *(const signed char *)data;
    case 's':
        return *(const short *)data;
    default:
        return *(const int *)data;
    }
}

int main(void) {
    signed char c = -5;
    short s = -500;
    int i = -50000;
    const void *data[] = {&c, &s, &i};
    const char types[] = {'c', 's', 'i'};
    for (int k = 0; k < 3; k++) {
        printf("%d ", read_as(data[k], types[k]));
    }
    int *const fixed = &i;
    const int *view = &i;
    *fixed = 3;
    printf("%d\n", *view);
    return 0;
}
