// A wait whose time is over returns with the mutex held; nobody ever signals.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec past = {1, 0};
    pthread_mutex_lock(&lock);
    int result;
    do {
        result = pthread_cond_timedwait(&never, &lock, &past);
    } while (result == 0);
    printf("%d\n", result == ETIMEDOUT);
    printf("%d\n", pthread_mutex_unlock(&lock));
    return 0;
}
