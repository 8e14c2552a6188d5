// Threads know themselves.
#include <pthread.h>
#include <stdio.h>

static pthread_t creator;
static int same_as_creator = -1, same_as_self = -1;

static void *work(void *arg) {
    (void)arg;
    same_as_creator = pthread_equal(pthread_self(), creator) != 0;
    same_as_self = pthread_equal(pthread_self(), pthread_self()) != 0;
    return NULL;
}

int main(void) {
    creator = pthread_self();
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    printf("%d\n", pthread_equal(t, creator) != 0);
    pthread_join(t, NULL);
    printf("%d %d\n", same_as_creator, same_as_self);
    printf("%d\n", pthread_equal(creator, pthread_self()) != 0);
    return 0;
}
