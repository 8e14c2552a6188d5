// Locals of the same function in different threads do not meet.
#include <pthread.h>
#include <stdio.h>

static int factorial(int n) {
    int digits[2] = {n, 1};
    if (n > 1) {
        digits[1] = factorial(n - 1);
    }
    return digits[0] * digits[1];
}

static void *work(void *arg) { return (void *)(long)factorial((int)(long)arg); }

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, work, (void *)(i + 2));
    }
    for (int i = 0; i < 3; i++) {
        void *r;
        pthread_join(t[i], &r);
        printf("%ld ", (long)r);
    }
    putchar('\n');
    return 0;
}
