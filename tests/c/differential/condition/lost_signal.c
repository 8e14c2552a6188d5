// A signal without a waiter is lost; the state is not.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int state;

static void *step(void *arg) {
    pthread_mutex_lock(&lock);
    while (state != (int)(long)arg) {
        pthread_cond_wait(&changed, &lock);
    }
    printf("%d\n", state);
    state++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_cond_signal(&changed);
    pthread_cond_broadcast(&changed);
    pthread_t t[3];
    for (long i = 2; i >= 0; i--) {
        pthread_create(&t[i], NULL, step, (void *)i);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d\n", state);
    return 0;
}
