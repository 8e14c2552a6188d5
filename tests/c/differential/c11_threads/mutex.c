// Plain and recursive mutexes of C11.
#include <stdio.h>
#include <threads.h>

static mtx_t plain, recursive;
static int count, depth;

static void descend(int n) {
    mtx_lock(&recursive);
    depth += n;
    if (n) {
        descend(n - 1);
    }
    mtx_unlock(&recursive);
}

static int work(void *arg) {
    for (int i = 0; i < 2; i++) {
        mtx_lock(&plain);
        count += (int)(long)arg;
        mtx_unlock(&plain);
    }
    descend(2);
    return 0;
}

int main(void) {
    mtx_init(&plain, mtx_plain);
    mtx_init(&recursive, mtx_plain | mtx_recursive);
    thrd_t t[2];
    thrd_create(&t[0], work, (void *)1L);
    thrd_create(&t[1], work, (void *)10L);
    thrd_join(t[0], NULL);
    thrd_join(t[1], NULL);
    printf("%d %d\n", count, depth);
    mtx_destroy(&plain);
    mtx_destroy(&recursive);
    return 0;
}
