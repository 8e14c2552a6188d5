// A timed lock takes a free mutex at once, whatever the time; on a taken one, with the time over, it gives up.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken, freed;

static void *attempt(void *arg) {
    struct timespec past = {1, 0};
    int result = pthread_mutex_timedlock(&lock, &past);
    if (result == 0) {
        pthread_mutex_unlock(&lock);
    }
    *(int *)arg = result;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, attempt, &taken);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&lock);
    pthread_create(&t, NULL, attempt, &freed);
    pthread_join(t, NULL);
    printf("%d %d\n", taken == ETIMEDOUT, freed);
    return 0;
}
