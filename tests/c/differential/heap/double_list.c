// A doubly linked ring with a sentinel.
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next, *prev;
    int value;
};

static void insert_before(struct node *at, int value) {
    struct node *n = malloc(sizeof *n);
    *n = (struct node){at, at->prev, value};
    at->prev->next = n;
    at->prev = n;
}

static int take(struct node *n) {
    int value = n->value;
    n->prev->next = n->next;
    n->next->prev = n->prev;
    free(n);
    return value;
}

int main(void) {
    struct node ring = {&ring, &ring, 0};
    for (int i = 0; i < 4; i++) {
        insert_before(i % 2 ? ring.next : &ring, i);
    }
    for (struct node *n = ring.prev; n != &ring; n = n->prev) {
        printf("%d ", n->value);
    }
    int first = take(ring.next), last = take(ring.prev);
    printf("%d %d %d\n", first, last, ring.next->value);
    while (ring.next != &ring) {
        take(ring.next);
    }
    return 0;
}
