// All wait for one start.
#include <pthread.h>
#include <stdio.h>

enum { N = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start;
static int started, sum;

static void *runner(void *arg) {
    pthread_mutex_lock(&lock);
    while (!started) {
        pthread_cond_wait(&start, &lock);
    }
    sum += (int)(long)arg * started;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_cond_init(&start, NULL);
    pthread_t t[N];
    for (long i = 0; i < N; i++) {
        pthread_create(&t[i], NULL, runner, (void *)(i + 1));
    }
    pthread_mutex_lock(&lock);
    started = 10;
    pthread_cond_broadcast(&start);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < N; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d\n", sum);
    pthread_cond_destroy(&start);
    return 0;
}
