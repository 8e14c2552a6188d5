// A semaphore with one permit is a lock.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t permit;
static int count;

static void *work(void *arg) {
    int by = *(const int *)arg;
    for (int i = 0; i < 2; i++) {
        sem_wait(&permit);
        int now = count;
        count = now + by;
        sem_post(&permit);
    }
    return NULL;
}

int main(void) {
    static const int steps[3] = {1, 20, 300};
    sem_init(&permit, 0, 1);
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, work, (void *)&steps[i]);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d\n", count);
    return 0;
}
