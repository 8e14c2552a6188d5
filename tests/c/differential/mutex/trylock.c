// trylock succeeds on a free mutex and fails on a taken one.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *attempt(void *arg) {
    int *result = arg;
    *result = pthread_mutex_trylock(&lock);
    if (*result == 0) {
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    printf("%d\n", pthread_mutex_trylock(&lock));
    pthread_create(&t, NULL, attempt, &first);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&lock);
    pthread_create(&t, NULL, attempt, &second);
    pthread_join(t, NULL);
    printf("%d %d\n", first == EBUSY, second);
    printf("%d\n", pthread_mutex_trylock(&lock));
    pthread_mutex_unlock(&lock);
    return 0;
}
