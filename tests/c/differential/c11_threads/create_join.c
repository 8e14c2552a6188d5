// Threads of C11: an int comes back.
#include <stdio.h>
#include <threads.h>

static int values[3];

static int work(void *arg) {
    int i = (int)(long)arg;
    values[i] = i * 5;
    return i + 100;
}

int main(void) {
    thrd_t t[3];
    for (long i = 0; i < 3; i++) {
        printf("%d", thrd_create(&t[i], work, (void *)i) == thrd_success);
    }
    for (int i = 0; i < 3; i++) {
        int result;
        thrd_join(t[i], &result);
        printf(" %d:%d", result, values[i]);
    }
    putchar('\n');
    return 0;
}
