// Yields and short sleeps change nothing.
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        sched_yield();
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
        usleep(1);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", count);
    return 0;
}
