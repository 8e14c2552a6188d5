// Two readers are inside at the same time: each waits for the other while holding the lock.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t arrived[2];
static int value = 6, seen[2];

static void *reader(void *arg) {
    long me = (long)arg;
    pthread_rwlock_rdlock(&lock);
    sem_post(&arrived[me]);
    sem_wait(&arrived[1 - me]);
    seen[me] = value;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    sem_init(&arrived[0], 0, 0);
    sem_init(&arrived[1], 0, 0);
    pthread_t t;
    pthread_create(&t, NULL, reader, (void *)1L);
    reader((void *)0L);
    pthread_join(t, NULL);
    pthread_rwlock_wrlock(&lock);
    value = seen[0] + seen[1];
    pthread_rwlock_unlock(&lock);
    printf("%d\n", value);
    return 0;
}
