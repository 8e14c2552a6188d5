// A queue on a list with head and tail.
#include <stdio.h>
#include <stdlib.h>

struct cell {
    long value;
    struct cell *next;
};

struct queue {
    struct cell *head, **tail;
    unsigned size;
};

static void enqueue(struct queue *q, long value) {
    struct cell *c = malloc(sizeof(struct cell));
    c->value = value;
    c->next = NULL;
    *q->tail = c;
    q->tail = &c->next;
    q->size++;
}

static long dequeue(struct queue *q) {
    struct cell *c = q->head;
    if (!c) {
        return -1;
    }
    long value = c->value;
    q->head = c->next;
    if (!q->head) {
        q->tail = &q->head;
    }
    q->size--;
    free(c);
    return value;
}

int main(void) {
    struct queue q = {NULL, &q.head, 0};
    enqueue(&q, 10);
    enqueue(&q, 20);
    printf("%ld ", dequeue(&q));
    enqueue(&q, 30);
    printf("%u ", q.size);
    printf("%ld ", dequeue(&q));
    printf("%ld ", dequeue(&q));
    printf("%ld ", dequeue(&q));
    enqueue(&q, 40);
    printf("%ld\n", dequeue(&q));
    return 0;
}
