// The first thread ends with pthread_exit; the program goes on until the others are done.
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    (void)arg;
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        sum += i;
    }
    printf("%d\n", sum);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
    pthread_exit(NULL);
}
