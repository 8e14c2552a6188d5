// The older builtins __sync_*.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static int lock, count;

static void *work(void *arg) {
    for (int i = 0; i < 2; i++) {
        while (__sync_lock_test_and_set(&lock, 1)) {
            sched_yield();
        }
        count += (int)(long)arg;
        __sync_lock_release(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)5L);
    work((void *)1L);
    pthread_join(t, NULL);
    printf("%d\n", count);
    int r = __sync_fetch_and_add(&count, 3);
    printf("%d %d\n", r, count);
    r = __sync_val_compare_and_swap(&count, 15, 1);
    printf("%d %d\n", r, count);
    r = __sync_bool_compare_and_swap(&count, 99, 2);
    printf("%d %d\n", r, count);
    printf("%d\n", __sync_sub_and_fetch(&count, 4));
    __sync_synchronize();
    return 0;
}
