// A list that threads push to; the order varies, the sum does not.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *produce(void *arg) {
    for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = (int)(long)arg + i;
        pthread_mutex_lock(&lock);
        n->next = head;
        head = n;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) {
        pthread_create(&t[i], NULL, produce, (void *)(10 * i));
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], NULL);
    }
    int sum = 0, count = 0;
    while (head) {
        struct node *next = head->next;
        sum += head->value;
        count++;
        free(head);
        head = next;
    }
    printf("%d %d\n", sum, count);
    return 0;
}
