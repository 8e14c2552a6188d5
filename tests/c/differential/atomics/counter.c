// Increments that are not lost.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int count;
static _Atomic unsigned long total = 5;

static void *work(void *arg) {
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&count, 1);
        total += (unsigned long)(long)arg;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)1L);
    pthread_create(&b, NULL, work, (void *)100L);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %lu\n", atomic_load(&count), atomic_load(&total));
    return 0;
}
