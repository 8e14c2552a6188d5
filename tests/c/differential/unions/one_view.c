// A tagged union of which only the stored member is read.
#include <stdio.h>

struct variant {
    enum { INT, TEXT, PAIR } tag;
    union {
        int number;
        const char *text;
        struct {
            short a, b;
        } pair;
    } as;
};

static int measure(const struct variant *v) {
    switch (v->tag) {
    case INT:
        return v->as.number;
    case TEXT: {
        int n = 0;
        while (v->as.text[n]) {
            n++;
        }
        return n;
    }
    case PAIR:
        return v->as.pair.a * v->as.pair.b;
    }
    return -1;
}

int main(void) {
    struct variant all[3] = {{INT, {.number = 12}}, {TEXT, {.text = "seven .."}}, {PAIR, {.pair = {-3, 4}}}};
    for (int i = 0; i < 3; i++) {
        printf("%d ", measure(&all[i]));
    }
    all[0] = all[2];
    all[2].tag = TEXT;
    all[2].as.text = "xy";
    printf("%d %d\n", measure(&all[0]), measure(&all[2]));
    return 0;
}
