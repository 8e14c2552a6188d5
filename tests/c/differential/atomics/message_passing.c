// Data are handed over with a flag that is stored last and loaded first.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static int data[3];
static atomic_bool ready;

static void *sender(void *arg) {
    (void)arg;
    for (int i = 0; i < 3; i++) {
        data[i] = 11 * (i + 1);
    }
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire)) {
        sched_yield();
    }
    printf("%d %d %d\n", data[0], data[1], data[2]);
    pthread_join(t, NULL);
    return 0;
}
