// Locks passed from node to node along a list.
#include <pthread.h>
#include <stdio.h>

struct node {
    pthread_mutex_t lock;
    int value;
    struct node *next;
};

static struct node nodes[3] = {
    {PTHREAD_MUTEX_INITIALIZER, 1, &nodes[1]},
    {PTHREAD_MUTEX_INITIALIZER, 2, &nodes[2]},
    {PTHREAD_MUTEX_INITIALIZER, 3, NULL},
};

static void *walk(void *arg) {
    struct node *n = &nodes[0];
    pthread_mutex_lock(&n->lock);
    while (n) {
        n->value += (int)(long)arg;
        struct node *next = n->next;
        if (next) {
            pthread_mutex_lock(&next->lock);
        }
        pthread_mutex_unlock(&n->lock);
        n = next;
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, walk, (void *)10L);
    walk((void *)100L);
    pthread_join(t, NULL);
    printf("%d %d %d\n", nodes[0].value, nodes[1].value, nodes[2].value);
    return 0;
}
