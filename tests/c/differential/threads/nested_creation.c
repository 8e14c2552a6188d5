// Threads that start threads, and wait for them.
#include <pthread.h>
#include <stdio.h>

static void *count(void *arg) {
    long depth = (long)arg;
    if (depth == 0) {
        return (void *)1L;
    }
    pthread_t left, right;
    pthread_create(&left, NULL, count, (void *)(depth - 1));
    pthread_create(&right, NULL, count, (void *)(depth - 1));
    void *l, *r;
    pthread_join(left, &l);
    pthread_join(right, &r);
    return (void *)((long)l + (long)r);
}

int main(void) {
    printf("%ld\n", (long)count((void *)2L));
    return 0;
}
