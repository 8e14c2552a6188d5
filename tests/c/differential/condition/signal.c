// One thread waits until another has prepared a value.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int value;

static void *producer(void *arg) {
    pthread_mutex_lock(&lock);
    value = (int)(long)arg;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, producer, (void *)13L);
    pthread_mutex_lock(&lock);
    while (value == 0) {
        pthread_cond_wait(&ready, &lock);
    }
    printf("%d\n", value);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
