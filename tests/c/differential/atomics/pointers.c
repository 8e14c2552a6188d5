// Atomic pointers: a stack without locks.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;
static struct node nodes[4];

static void push(struct node *n) {
    struct node *seen = atomic_load(&top);
    do {
        n->next = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, n));
}

static void *work(void *arg) {
    long first = (long)arg;
    for (long i = first; i < first + 2; i++) {
        nodes[i].value = (int)(i + 1) * 10;
        push(&nodes[i]);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)0L);
    work((void *)2L);
    pthread_join(t, NULL);
    int sum = 0, count = 0;
    for (struct node *n = top; n; n = n->next) {
        sum += n->value;
        count++;
    }
    printf("%d %d\n", sum, count);
    return 0;
}
