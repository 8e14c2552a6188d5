// Each thread has its own `errno`.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static int seen;

static void *work(void *arg) {
    seen = errno;
    errno = 7;
    return arg;
}

int main(void) {
    errno = 3;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%d %d\n", seen, errno);
    return 0;
}
