// The same barrier again and again.
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int cells[2] = {1, 1};

static void *work(void *arg) {
    int me = (int)(long)arg;
    for (int round = 0; round < 3; round++) {
        int other = cells[1 - me];
        pthread_barrier_wait(&barrier);
        cells[me] += other + me;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)1L);
    work((void *)0L);
    pthread_join(t, NULL);
    printf("%d %d\n", cells[0], cells[1]);
    return 0;
}
