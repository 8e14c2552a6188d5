// A recursive mutex is taken again by its owner.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int depth, total;

static void descend(int n) {
    pthread_mutex_lock(&lock);
    depth++;
    total += n * depth;
    if (n > 0) {
        descend(n - 1);
    }
    depth--;
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
    descend((int)(long)arg);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)2L);
    descend(3);
    pthread_join(t, NULL);
    printf("%d %d\n", depth, total);
    pthread_mutex_destroy(&lock);
    return 0;
}
