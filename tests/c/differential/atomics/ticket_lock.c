// A lock with numbered tickets.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint next_ticket, serving;
static int sum;

static void *work(void *arg) {
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&serving) != mine) {
        sched_yield();
    }
    sum += *(int *)arg;
    atomic_store(&serving, mine + 1);
    return NULL;
}

int main(void) {
    int values[3] = {1, 20, 300};
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, work, &values[i]);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d %u\n", sum, serving);
    return 0;
}
