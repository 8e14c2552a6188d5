// compare_exchange: success, failure with the value seen, and a loop around it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static atomic_int value = 1;

static void *multiply(void *arg) {
    int seen = atomic_load(&value);
    while (!atomic_compare_exchange_strong(&value, &seen, seen * (int)(long)arg)) {
    }
    return NULL;
}

int main(void) {
    atomic_int x = 5;
    int expected = 5;
    bool ok = atomic_compare_exchange_strong(&x, &expected, 6);
    printf("%d %d %d\n", ok, expected, x);
    ok = atomic_compare_exchange_strong(&x, &expected, 7);
    printf("%d %d %d\n", ok, expected, x);
    pthread_t t[3];
    for (long i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, multiply, (void *)(i + 2));
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d\n", value);
    return 0;
}
