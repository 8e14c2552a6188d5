// Results through join: numbers in pointers, and memory from the heap.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *number(void *arg) { return (void *)((long)arg * 3 - 10); }

static void *memory(void *arg) {
    int *p = malloc(2 * sizeof *p);
    p[0] = *(int *)arg;
    p[1] = p[0] + 1;
    return p;
}

int main(void) {
    pthread_t a, b;
    int seven = 7;
    pthread_create(&a, NULL, number, (void *)2);
    pthread_create(&b, NULL, memory, &seven);
    void *ra, *rb;
    pthread_join(b, &rb);
    pthread_join(a, &ra);
    int *p = rb;
    printf("%ld %d %d\n", (long)ra, p[0], p[1]);
    free(p);
    return 0;
}
