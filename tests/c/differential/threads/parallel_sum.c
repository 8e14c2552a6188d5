// Parts of an array, summed by threads and put together.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, PART = 4 };
static int numbers[THREADS * PART];
static long parts[THREADS];

static void *sum(void *arg) {
    const int *begin = arg;
    long *part = &parts[(begin - numbers) / PART];
    for (const int *p = begin; p < begin + PART; p++) {
        *part += *p;
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < THREADS * PART; i++) {
        numbers[i] = i * 3;
    }
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&t[i], NULL, sum, numbers + i * PART);
    }
    long total = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        total += parts[i];
    }
    printf("%ld %ld\n", total, parts[1]);
    return 0;
}
