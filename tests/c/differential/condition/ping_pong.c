// Two threads take turns, so that their output has one order.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;

static void play(int me) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        while (turn != me) {
            pthread_cond_wait(&turned, &lock);
        }
        printf("%d:%d\n", me, i);
        turn = 1 - me;
        pthread_cond_signal(&turned);
        pthread_mutex_unlock(&lock);
    }
}

static void *other(void *arg) {
    (void)arg;
    play(1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    play(0);
    pthread_join(t, NULL);
    return 0;
}
