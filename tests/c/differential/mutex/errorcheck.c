// An error-checking mutex answers wrong use with a code.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int codes[3];

static void *other(void *arg) {
    (void)arg;
    codes[0] = pthread_mutex_trylock(&lock);
    codes[1] = pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attr);
    pthread_t t;
    printf("%d\n", pthread_mutex_lock(&lock));
    printf("%d\n", pthread_mutex_lock(&lock) == EDEADLK);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    printf("%d %d\n", codes[0] == EBUSY, codes[1] == EPERM);
    printf("%d\n", pthread_mutex_unlock(&lock));
    printf("%d\n", pthread_mutex_unlock(&lock) == EPERM);
    return 0;
}
