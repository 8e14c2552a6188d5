// A hash table with chains.
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 4 };

struct entry {
    unsigned key;
    int value;
    struct entry *next;
};

static struct entry *buckets[BUCKETS];

static int *lookup(unsigned key) {
    struct entry **at = &buckets[key * 2654435761u >> 30];
    for (; *at; at = &(*at)->next) {
        if ((*at)->key == key) {
            return &(*at)->value;
        }
    }
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
    return &(*at)->value;
}

int main(void) {
    unsigned keys[] = {3, 17, 3, 99, 17, 3, 1000};
    for (int i = 0; i < 7; i++) {
        *lookup(keys[i]) += i + 1;
    }
    printf("%d %d %d %d %d\n", *lookup(3), *lookup(17), *lookup(99), *lookup(1000), *lookup(5));
    int entries = 0;
    for (int b = 0; b < BUCKETS; b++) {
        while (buckets[b]) {
            struct entry *next = buckets[b]->next;
            free(buckets[b]);
            buckets[b] = next;
            entries++;
        }
    }
    printf("%d\n", entries);
    return 0;
}
