// A ring buffer with indices that wrap.
#include <stdio.h>

enum { SIZE = 4 };
static int ring[SIZE];
static unsigned head, tail;

static int put(int x) {
    if (head - tail == SIZE) {
        return 0;
    }
    ring[head++ % SIZE] = x;
    return 1;
}

static int get(int *x) {
    if (head == tail) {
        return 0;
    }
    *x = ring[tail++ % SIZE];
    return 1;
}

int main(void) {
    head = tail = 0xfffffffeu;
    int x, lost = 0;
    for (int i = 0; i < 6; i++) {
        lost += !put(i);
        if (i % 3 == 2 && get(&x)) {
            printf("%d ", x);
        }
    }
    while (get(&x)) {
        printf("%d ", x);
    }
    printf("lost %d, head %u\n", lost, head);
    return 0;
}
