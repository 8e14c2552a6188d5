// Bit-fields of a 64-bit unit, and one of _Bool.
#include <stdio.h>

struct wide {
    unsigned long id : 40;
    unsigned long kind : 20;
    _Bool set : 1;
};

int main(void) {
    struct wide w = {0};
    w.id = 0xffffffffffUL;
    w.kind = 77;
    w.set = 12;
    printf("%lu %lu %d\n", (unsigned long)w.id, (unsigned long)w.kind, w.set);
    w.id++;
    w.kind--;
    w.set = 0;
    printf("%lu %lu %d\n", (unsigned long)w.id, (unsigned long)w.kind, w.set);
    return 0;
}
