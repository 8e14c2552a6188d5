// A lock made of an atomic flag.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int count;

static void *work(void *arg) {
    for (int i = 0; i < 2; i++) {
        while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
            sched_yield();
        }
        count += (int)(long)arg;
        atomic_flag_clear_explicit(&busy, memory_order_release);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)3L);
    work((void *)40L);
    pthread_join(t, NULL);
    printf("%d\n", count);
    return 0;
}
