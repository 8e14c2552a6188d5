// One lock per bucket, chosen by index.
#include <pthread.h>
#include <stdio.h>

enum { BUCKETS = 3 };
static pthread_mutex_t locks[BUCKETS];
static int sums[BUCKETS];

static void *work(void *arg) {
    for (int i = 0; i < 4; i++) {
        int b = (int)((long)arg + i) % BUCKETS;
        pthread_mutex_lock(&locks[b]);
        sums[b] += i;
        pthread_mutex_unlock(&locks[b]);
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < BUCKETS; i++) {
        pthread_mutex_init(&locks[i], NULL);
    }
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0L);
    pthread_create(&b, NULL, work, (void *)1L);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d %d\n", sums[0], sums[1], sums[2]);
    return 0;
}
