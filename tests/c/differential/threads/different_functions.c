// The function of a thread comes from a table.
#include <pthread.h>
#include <stdio.h>

static int a, b, c;

static void *set_a(void *arg) { a = (int)(long)arg; return NULL; }
static void *set_b(void *arg) { b = 2 * (int)(long)arg; return NULL; }
static void *set_c(void *arg) { c = 3 * (int)(long)arg; return NULL; }

int main(void) {
    void *(*const functions[])(void *) = {set_a, set_b, set_c};
    pthread_t t[3];
    for (long i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, functions[i], (void *)(10 + i));
    }
    for (int i = 2; i >= 0; i--) {
        pthread_join(t[i], NULL);
    }
    printf("%d %d %d\n", a, b, c);
    return 0;
}
