// A condition variable of C11 hands values over one by one.
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int slot, full;

static int producer(void *arg) {
    (void)arg;
    for (int i = 1; i <= 3; i++) {
        mtx_lock(&lock);
        while (full) {
            cnd_wait(&changed, &lock);
        }
        slot = i * 4;
        full = 1;
        cnd_broadcast(&changed);
        mtx_unlock(&lock);
    }
    return 0;
}

int main(void) {
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_t t;
    thrd_create(&t, producer, NULL);
    for (int i = 0; i < 3; i++) {
        mtx_lock(&lock);
        while (!full) {
            cnd_wait(&changed, &lock);
        }
        printf("%d\n", slot);
        full = 0;
        cnd_signal(&changed);
        mtx_unlock(&lock);
    }
    thrd_join(t, NULL);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
