// Readers together, writers alone.
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b, torn;
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_rwlock_wrlock(&lock);
        a += (int)(long)arg;
        b += (int)(long)arg;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    int different = a != b;
    pthread_rwlock_unlock(&lock);
    pthread_mutex_lock(&count_lock);
    torn += different;
    pthread_mutex_unlock(&count_lock);
    return NULL;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], NULL, writer, (void *)1L);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    pthread_create(&t[3], NULL, writer, (void *)5L);
    for (int i = 0; i < 4; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d %d %d\n", a, b, torn);
    return 0;
}
