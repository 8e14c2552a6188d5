// A mutex beside the data that it protects, on the heap, initialised when it runs.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account *make(int balance) {
    struct account *a = malloc(sizeof *a);
    pthread_mutex_init(&a->lock, NULL);
    a->balance = balance;
    return a;
}

static struct account *from, *to;

static void *transfer(void *arg) {
    int amount = *(int *)arg;
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    return NULL;
}

int main(void) {
    from = make(100);
    to = make(0);
    pthread_t t[2];
    int amounts[2] = {30, 5};
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], NULL, transfer, &amounts[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d %d\n", from->balance, to->balance);
    pthread_mutex_destroy(&from->lock);
    pthread_mutex_destroy(&to->lock);
    free(from);
    free(to);
    return 0;
}
