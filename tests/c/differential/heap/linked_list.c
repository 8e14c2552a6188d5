// A singly linked list: push, append, remove, reverse, free.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = head;
    return n;
}

static void remove_value(struct node **at, int value) {
    while (*at && (*at)->value != value) {
        at = &(*at)->next;
    }
    if (*at) {
        struct node *dead = *at;
        *at = dead->next;
        free(dead);
    }
}

static struct node *reversed(struct node *head) {
    struct node *result = 0;
    while (head) {
        struct node *next = head->next;
        head->next = result;
        result = head;
        head = next;
    }
    return result;
}

int main(void) {
    struct node *list = 0;
    for (int i = 1; i <= 5; i++) {
        list = push(list, i * i);
    }
    remove_value(&list, 9);
    remove_value(&list, 25);
    remove_value(&list, 77);
    list = reversed(list);
    while (list) {
        printf("%d ", list->value);
        remove_value(&list, list->value);
    }
    putchar('\n');
    return 0;
}
