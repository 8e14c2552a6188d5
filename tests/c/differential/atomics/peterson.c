// Mutual exclusion with nothing but loads and stores.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wants[2], turn;
static int count;

static void *work(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    for (int i = 0; i < 2; i++) {
        atomic_store(&wants[me], 1);
        atomic_store(&turn, other);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
            sched_yield();
        }
        count = count * 1 + 1;
        atomic_store(&wants[me], 0);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)1L);
    work((void *)0L);
    pthread_join(t, NULL);
    printf("%d\n", count);
    return 0;
}
