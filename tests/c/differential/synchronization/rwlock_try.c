// What can be taken while readers or a writer are there.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock;
static int codes[2];

static void *attempt(void *arg) {
    (void)arg;
    codes[0] = pthread_rwlock_tryrdlock(&lock);
    if (codes[0] == 0) {
        pthread_rwlock_unlock(&lock);
    }
    codes[1] = pthread_rwlock_trywrlock(&lock);
    if (codes[1] == 0) {
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void ask(void) {
    pthread_t t;
    pthread_create(&t, NULL, attempt, NULL);
    pthread_join(t, NULL);
    printf("%d %d\n", codes[0] == EBUSY, codes[1] == EBUSY);
}

int main(void) {
    pthread_rwlock_init(&lock, NULL);
    ask();
    pthread_rwlock_rdlock(&lock);
    ask();
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    ask();
    pthread_rwlock_unlock(&lock);
    ask();
    pthread_rwlock_destroy(&lock);
    return 0;
}
