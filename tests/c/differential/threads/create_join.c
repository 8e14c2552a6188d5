// One thread, started and waited for.
#include <pthread.h>
#include <stdio.h>

static int shared;

static void *work(void *arg) {
    (void)arg;
    shared = 42;
    return NULL;
}

int main(void) {
    pthread_t t;
    printf("%d\n", pthread_create(&t, NULL, work, NULL));
    printf("%d\n", pthread_join(t, NULL));
    printf("%d\n", shared);
    return 0;
}
