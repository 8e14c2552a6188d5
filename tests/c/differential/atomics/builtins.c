// The builtins __atomic_* of the compiler, on plain variables.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static int count;
static long flags;

static void *work(void *arg) {
    __atomic_add_fetch(&count, (int)(long)arg, __ATOMIC_SEQ_CST);
    __atomic_or_fetch(&flags, (long)arg << 8, __ATOMIC_RELAXED);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)1L);
    pthread_create(&b, NULL, work, (void *)2L);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %lx\n", __atomic_load_n(&count, __ATOMIC_ACQUIRE), flags);
    int old = __atomic_exchange_n(&count, 50, __ATOMIC_ACQ_REL), expected = 49;
    bool ok = __atomic_compare_exchange_n(&count, &expected, 51, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    printf("%d %d %d %d\n", old, ok, expected, count);
    __atomic_store_n(&count, 7, __ATOMIC_RELEASE);
    printf("%d ", __atomic_fetch_nand(&count, 5, __ATOMIC_SEQ_CST));
    printf("%d ", count);
    printf("%d\n", __atomic_sub_fetch(&count, 1, __ATOMIC_SEQ_CST));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return 0;
}
