// The result of a thread becomes the exit code.
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) { return (void *)((long)arg + 1); }

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, (void *)11L);
    pthread_join(t, &result);
    puts("done");
    return (int)(long)result;
}
