// A buffer with two places between a producer and a consumer.
#include <pthread.h>
#include <stdio.h>

enum { SIZE = 2, ITEMS = 5 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], count, in, out;

static void put(int x) {
    pthread_mutex_lock(&lock);
    while (count == SIZE) {
        pthread_cond_wait(&not_full, &lock);
    }
    buffer[in] = x;
    in = (in + 1) % SIZE;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    pthread_mutex_lock(&lock);
    while (count == 0) {
        pthread_cond_wait(&not_empty, &lock);
    }
    int x = buffer[out];
    out = (out + 1) % SIZE;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return x;
}

static void *producer(void *arg) {
    (void)arg;
    for (int i = 1; i <= ITEMS; i++) {
        put(i * i);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < ITEMS; i++) {
        printf("%d ", get());
    }
    putchar('\n');
    pthread_join(t, NULL);
    return 0;
}
