// A function that runs once, whoever comes first.
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised, seen[3];

static void initialise(void) { initialised += 7; }

static void *work(void *arg) {
    pthread_once(&once, initialise);
    seen[(long)arg] = initialised;
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, work, (void *)i);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    pthread_once(&once, initialise);
    printf("%d %d %d %d\n", initialised, seen[0], seen[1], seen[2]);
    return 0;
}
