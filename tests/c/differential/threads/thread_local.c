// Each thread has its own copy, with the initial value.
#include <pthread.h>
#include <stdio.h>

static __thread int mine = 5;
static _Thread_local int *pointer;
static int seen[2];

static void bump(int by) {
    pointer = &mine;
    *pointer += by;
}

static void *work(void *arg) {
    long i = (long)arg;
    bump(10);
    bump((int)i);
    seen[i] = mine;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    mine = 100;
    for (long i = 0; i < 2; i++) {
        pthread_create(&t[i], NULL, work, (void *)i);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d %d %d %d\n", mine, seen[0], seen[1], pointer == NULL);
    return 0;
}
