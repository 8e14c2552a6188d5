// Structs too large for registers are passed and returned in memory.
#include <stdio.h>

struct large {
    int id;
    long values[5];
    char tag;
};

static struct large make(int id) {
    struct large l = {.id = id, .tag = 't'};
    for (int i = 0; i < 5; i++) {
        l.values[i] = (long)id * i;
    }
    return l;
}

static long sum(struct large l) {
    long s = 0;
    for (int i = 0; i < 5; i++) {
        s += l.values[i];
        l.values[i] = 0;
    }
    return s + l.id;
}

int main(void) {
    struct large a = make(3), b = a;
    b.values[2] = 1000;
    printf("%ld %ld %ld\n", sum(a), sum(a), sum(b));
    a = make(-1);
    printf("%d %ld %c %ld\n", a.id, a.values[4], a.tag, sum(make(2)));
    return 0;
}
