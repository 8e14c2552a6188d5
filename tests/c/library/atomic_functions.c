// Atomic operations on objects of any size, which compilers leave to a library.
//@ run: explore -w
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b, c;
};

static struct pair shared;

static void *work(void *arg) {
    struct pair next = {1, 1, 1};
    __atomic_store(&shared, &next, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    struct pair seen, next = {2, 2, 2};
    __atomic_load(&shared, &seen, __ATOMIC_SEQ_CST);
    assert(seen.a == seen.b && seen.b == seen.c);
    _Bool same = __atomic_compare_exchange(&shared, &seen, &next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    assert(same || seen.c == 1);
    pthread_join(thread, 0);
    return 0;
}
