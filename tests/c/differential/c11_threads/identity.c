// thrd_current, thrd_equal, thrd_yield and a detached thread.
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

static thrd_t first;
static atomic_int finished;

static int work(void *arg) {
    (void)arg;
    int same = thrd_equal(thrd_current(), first) != 0;
    thrd_yield();
    atomic_store(&finished, 1 + same);
    return 0;
}

int main(void) {
    first = thrd_current();
    thrd_t t;
    thrd_create(&t, work, NULL);
    thrd_detach(t);
    while (!atomic_load(&finished)) {
        thrd_yield();
    }
    printf("%d %d\n", finished, thrd_equal(first, thrd_current()) != 0);
    return 0;
}
