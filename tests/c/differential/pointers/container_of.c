// From a member to the struct around it.
#include <stddef.h>
#include <stdio.h>

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct link {
    struct link *next;
};

struct item {
    int key;
    struct link link;
    int value;
};

int main(void) {
    struct item items[3] = {{1, {0}, 10}, {2, {0}, 20}, {3, {0}, 30}};
    struct link *head = 0;
    for (int i = 0; i < 3; i++) {
        items[i].link.next = head;
        head = &items[i].link;
    }
    for (struct link *l = head; l; l = l->next) {
        struct item *item = container_of(l, struct item, link);
        printf("%d:%d ", item->key, item->value);
    }
    putchar('\n');
    return 0;
}
