// memcpy and memset on ints, structs and parts of arrays.
#include <stdio.h>
#include <string.h>

struct record {
    int id;
    short codes[3];
    long total;
};

int main(void) {
    struct record a = {1, {2, 3, 4}, 5}, b;
    memcpy(&b, &a, sizeof a);
    b.codes[1] = 30;
    printf("%d %d %d %ld\n", b.id, a.codes[1], b.codes[1], b.total);
    memset(&a, 0, sizeof a);
    printf("%d %d %ld\n", a.id, a.codes[2], a.total);
    int v[6] = {1, 2, 3, 4, 5, 6}, w[6];
    memset(w, -1, sizeof w);
    memcpy(w + 1, v + 2, 3 * sizeof *v);
    for (int i = 0; i < 6; i++) {
        printf("%d ", w[i]);
    }
    unsigned u = 0x40490fdb, back;
    memcpy(&back, &u, sizeof back);
    printf("%x\n", back);
    return 0;
}
