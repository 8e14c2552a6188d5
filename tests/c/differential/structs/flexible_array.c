// A struct with an array of any length at its end.
#include <stdio.h>
#include <stdlib.h>

struct message {
    int length;
    char kind;
    short data[];
};

static struct message *make(int n) {
    struct message *m = malloc(sizeof *m + (size_t)n * sizeof m->data[0]);
    m->length = n;
    m->kind = 'k';
    for (int i = 0; i < n; i++) {
        m->data[i] = (short)(i * n);
    }
    return m;
}

int main(void) {
    int total = 0;
    for (int n = 1; n < 5; n++) {
        struct message *m = make(n);
        total += m->data[m->length - 1] + m->kind;
        free(m);
    }
    printf("%d %zu\n", total, sizeof(struct message));
    return 0;
}
