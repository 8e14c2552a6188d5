// Thread-specific values under keys.
#include <pthread.h>
#include <stdio.h>

static pthread_key_t first, second;
static int before[2], sum[2];

static int twice(void) { return 2 * *(int *)pthread_getspecific(first); }

static void *work(void *arg) {
    long i = (long)arg;
    int value = (int)i + 3;
    before[i] = pthread_getspecific(first) == NULL;
    pthread_setspecific(first, &value);
    pthread_setspecific(second, (void *)(i + 100));
    sum[i] = twice() + (int)(long)pthread_getspecific(second);
    return NULL;
}

int main(void) {
    printf("%d", pthread_key_create(&first, NULL));
    printf("%d\n", pthread_key_create(&second, NULL));
    int own = 50;
    pthread_setspecific(first, &own);
    pthread_t t[2];
    for (long i = 0; i < 2; i++) {
        pthread_create(&t[i], NULL, work, (void *)i);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d %d %d %d %d\n", before[0], before[1], sum[0], sum[1], twice());
    pthread_key_delete(first);
    pthread_key_delete(second);
    return 0;
}
