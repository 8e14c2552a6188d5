// Structs are compared member by member, by hand.
#include <stdbool.h>
#include <stdio.h>

struct version {
    unsigned char major, minor;
    unsigned short patch;
};

static int compare(const struct version *a, const struct version *b) {
    if (a->major != b->major) {
        return a->major < b->major ? -1 : 1;
    }
    if (a->minor != b->minor) {
        return a->minor < b->minor ? -1 : 1;
    }
    return (a->patch > b->patch) - (a->patch < b->patch);
}

static bool same(struct version a, struct version b) { return compare(&a, &b) == 0; }

int main(void) {
    struct version v[4] = {{1, 2, 3}, {1, 10, 0}, {1, 2, 300}, {1, 2, 3}};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            printf("%d ", compare(&v[i], &v[j]));
        }
    }
    printf("%d %d\n", same(v[0], v[3]), same(v[0], v[1]));
    return 0;
}
