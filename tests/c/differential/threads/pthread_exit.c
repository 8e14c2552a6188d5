// A thread ends in the middle of a call.
#include <pthread.h>
#include <stdio.h>

static int after;

static void deep(int n) {
    if (n == 0) {
        pthread_exit((void *)77L);
    }
    deep(n - 1);
    after = 1;
}

static void *work(void *arg) {
    deep((int)(long)arg);
    return (void *)1L;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)3L);
    void *result;
    pthread_join(t, &result);
    printf("%ld %d\n", (long)result, after);
    return 0;
}
