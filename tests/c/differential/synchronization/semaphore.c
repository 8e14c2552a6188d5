// Semaphores order the steps of two threads.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t full, empty;
static int slot;

static void *producer(void *arg) {
    (void)arg;
    for (int i = 1; i <= 3; i++) {
        sem_wait(&empty);
        slot = 7 * i;
        sem_post(&full);
    }
    return NULL;
}

int main(void) {
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < 3; i++) {
        sem_wait(&full);
        printf("%d\n", slot);
        sem_post(&empty);
    }
    pthread_join(t, NULL);
    sem_destroy(&full);
    sem_destroy(&empty);
    return 0;
}
