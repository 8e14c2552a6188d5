// mtx_trylock tells whether it took the mutex.
#include <stdio.h>
#include <threads.h>

static mtx_t lock;

static int attempt(void *arg) {
    (void)arg;
    int r = mtx_trylock(&lock);
    if (r == thrd_success) {
        mtx_unlock(&lock);
    }
    return r == thrd_busy ? 2 : r == thrd_success ? 1 : 0;
}

int main(void) {
    mtx_init(&lock, mtx_plain);
    thrd_t t;
    int first, second;
    mtx_lock(&lock);
    thrd_create(&t, attempt, NULL);
    thrd_join(t, &first);
    mtx_unlock(&lock);
    thrd_create(&t, attempt, NULL);
    thrd_join(t, &second);
    printf("%d %d\n", first, second);
    mtx_destroy(&lock);
    return 0;
}
