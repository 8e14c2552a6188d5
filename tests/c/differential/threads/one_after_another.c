// Many threads, one at a time.
#include <pthread.h>
#include <stdio.h>

static int total;

static void *add(void *arg) {
    total += *(int *)arg;
    return NULL;
}

int main(void) {
    for (int i = 1; i <= 12; i++) {
        pthread_t t;
        pthread_create(&t, NULL, add, &i);
        pthread_join(t, NULL);
    }
    printf("%d\n", total);
    return 0;
}
