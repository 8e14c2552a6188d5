// A detached thread, whose end is told by a condition variable.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int finished;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    finished = (int)(long)arg;
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_t t;
    pthread_create(&t, &attr, work, (void *)9L);
    pthread_attr_destroy(&attr);
    pthread_mutex_lock(&lock);
    while (!finished) {
        pthread_cond_wait(&done, &lock);
    }
    printf("%d\n", finished);
    pthread_mutex_unlock(&lock);
    return 0;
}
