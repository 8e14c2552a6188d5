// Thread-specific storage and thread-local variables of C11.
#include <stdio.h>
#include <threads.h>

static tss_t key;
static thread_local int local = 3;

static int work(void *arg) {
    int empty = tss_get(key) == NULL;
    tss_set(key, arg);
    local += *(int *)tss_get(key);
    return empty ? local : -1;
}

int main(void) {
    tss_create(&key, NULL);
    int a = 10, b = 20, ra, rb;
    tss_set(key, &a);
    thrd_t t, u;
    thrd_create(&t, work, &a);
    thrd_create(&u, work, &b);
    thrd_join(t, &ra);
    thrd_join(u, &rb);
    printf("%d %d %d %d\n", ra, rb, local, tss_get(key) == &a);
    tss_delete(key);
    return 0;
}
