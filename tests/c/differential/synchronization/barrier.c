// Phases between barriers, and exactly one serial thread at each.
#include <pthread.h>
#include <stdio.h>

enum { N = 3 };
static pthread_barrier_t barrier;
static int first[N], second[N], serial[N];

static void *work(void *arg) {
    long i = (long)arg;
    first[i] = (int)i + 1;
    int r = pthread_barrier_wait(&barrier);
    serial[i] += r == PTHREAD_BARRIER_SERIAL_THREAD;
    second[i] = first[(i + 1) % N] * 10 + first[(i + 2) % N];
    r = pthread_barrier_wait(&barrier);
    serial[i] += r == PTHREAD_BARRIER_SERIAL_THREAD;
    return NULL;
}

int main(void) {
    pthread_t t[N];
    printf("%d\n", pthread_barrier_init(&barrier, NULL, N));
    for (long i = 0; i < N; i++) {
        pthread_create(&t[i], NULL, work, (void *)i);
    }
    int total = 0;
    for (int i = 0; i < N; i++) {
        pthread_join(t[i], NULL);
        total += serial[i];
        printf("%d ", second[i]);
    }
    printf("%d\n", total);
    pthread_barrier_destroy(&barrier);
    return 0;
}
