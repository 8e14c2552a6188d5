// Threads in a loop, each with its own element.
#include <pthread.h>
#include <stdio.h>

enum { N = 4 };
static int results[N];

static void *square(void *arg) {
    long i = (long)arg;
    results[i] = (int)(i * i);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) {
        pthread_create(&threads[i], NULL, square, (void *)i);
    }
    int sum = 0;
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        sum += results[i];
    }
    printf("%d\n", sum);
    return 0;
}
