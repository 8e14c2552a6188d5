// Philosophers who take the lower fork first, and all get to eat.
#include <pthread.h>
#include <stdio.h>

enum { N = 3 };
static pthread_mutex_t forks[N];
static int meals[N];

static void *dine(void *arg) {
    int me = (int)(long)arg, left = me, right = (me + 1) % N;
    pthread_mutex_t *first = &forks[left < right ? left : right];
    pthread_mutex_t *second = &forks[left < right ? right : left];
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        meals[me]++;
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) {
        pthread_mutex_init(&forks[i], NULL);
    }
    for (long i = 0; i < N; i++) {
        pthread_create(&t[i], NULL, dine, (void *)i);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(t[i], NULL);
        printf("%d ", meals[i]);
    }
    putchar('\n');
    return 0;
}
