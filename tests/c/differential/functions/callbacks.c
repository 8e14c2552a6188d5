// A function with a function and its context as arguments.
#include <stdio.h>

typedef void (*visitor)(int value, void *context);

static void each(const int *values, int count, visitor visit, void *context) {
    for (int i = 0; i < count; i++) {
        visit(values[i], context);
    }
}

static void add(int value, void *context) { *(long *)context += value; }

struct extremes {
    int least, most;
};

static void stretch(int value, void *context) {
    struct extremes *e = context;
    if (value < e->least) e->least = value;
    if (value > e->most) e->most = value;
}

int main(void) {
    int values[] = {4, -2, 9, 7};
    long sum = 0;
    struct extremes e = {values[0], values[0]};
    each(values, 4, add, &sum);
    each(values, 4, stretch, &e);
    printf("%ld %d %d\n", sum, e.least, e.most);
    return 0;
}
