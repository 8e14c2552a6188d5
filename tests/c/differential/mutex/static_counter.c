// A counter under a statically initialised mutex.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        count += (int)(long)arg;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, work, (void *)1L);
    pthread_create(&t[1], NULL, work, (void *)10L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    printf("%d\n", count);
    return 0;
}
