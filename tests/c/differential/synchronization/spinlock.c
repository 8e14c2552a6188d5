// Spin locks, with and without waiting.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t lock;
static int count, busy;

static void *work(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_spin_lock(&lock);
        count++;
        pthread_spin_unlock(&lock);
    }
    return NULL;
}

static void *attempt(void *arg) {
    (void)arg;
    busy = pthread_spin_trylock(&lock) == EBUSY;
    return NULL;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", pthread_spin_trylock(&lock));
    pthread_create(&a, NULL, attempt, NULL);
    pthread_join(a, NULL);
    pthread_spin_unlock(&lock);
    printf("%d %d\n", count, busy);
    pthread_spin_destroy(&lock);
    return 0;
}
