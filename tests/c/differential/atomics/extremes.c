// Largest and smallest values with compare_exchange_weak in a loop.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int least = 1000, most = -1000;

static void offer(int x) {
    int seen = atomic_load(&least);
    while (x < seen && !atomic_compare_exchange_weak(&least, &seen, x)) {
    }
    seen = atomic_load(&most);
    while (x > seen && !atomic_compare_exchange_weak(&most, &seen, x)) {
    }
}

static void *work(void *arg) {
    const int *values = arg;
    for (int i = 0; i < 2; i++) {
        offer(values[i]);
    }
    return NULL;
}

int main(void) {
    int values[2][2] = {{5, -8}, {17, 2}};
    pthread_t t;
    pthread_create(&t, NULL, work, values[0]);
    work(values[1]);
    pthread_join(t, NULL);
    printf("%d %d\n", least, most);
    return 0;
}
