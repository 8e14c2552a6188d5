// Globals that refer to themselves and to each other.
#include <stdio.h>

struct node {
    int value;
    struct node *next;
};

extern struct node second;
struct node first = {1, &second};
struct node third = {3, &first};
struct node second = {2, &third};
void *self = &self;

int main(void) {
    int sum = 0;
    struct node *n = &first;
    for (int i = 0; i < 7; i++) {
        sum = 10 * sum + n->value;
        n = n->next;
    }
    printf("%d %d %d\n", sum, n == &second, self == &self);
    return 0;
}
