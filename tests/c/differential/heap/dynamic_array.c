// An array that grows with realloc.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int *data;
    size_t size, capacity;
};

static void push(struct vector *v, int x) {
    if (v->size == v->capacity) {
        v->capacity = v->capacity ? 2 * v->capacity : 2;
        v->data = realloc(v->data, v->capacity * sizeof *v->data);
    }
    v->data[v->size++] = x;
}

int main(void) {
    struct vector v = {0};
    for (int i = 0; i < 9; i++) {
        push(&v, i * i);
    }
    int sum = 0;
    for (size_t i = 0; i < v.size; i++) {
        sum += v.data[i];
    }
    printf("%d %zu %zu %d\n", sum, v.size, v.capacity, v.data[8]);
    v.data = realloc(v.data, 3 * sizeof(int));
    printf("%d\n", v.data[2]);
    free(v.data);
    return 0;
}
