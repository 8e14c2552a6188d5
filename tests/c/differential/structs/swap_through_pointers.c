// Whole structs are exchanged through pointers, and elements of an array of them.
#include <stdio.h>

struct entry {
    char key;
    int counts[2];
    const char *text;
};

static void swap(struct entry *a, struct entry *b) {
    struct entry t = *a;
    *a = *b;
    *b = t;
}

int main(void) {
    struct entry all[3] = {{'c', {3, 30}, "cc"}, {'a', {1, 10}, "aa"}, {'b', {2, 20}, "bb"}};
    for (int i = 0; i < 3; i++) {
        for (int j = i + 1; j < 3; j++) {
            if (all[j].key < all[i].key) {
                swap(&all[i], &all[j]);
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        printf("%c %d %c\n", all[i].key, all[i].counts[1], all[i].text[0]);
    }
    return 0;
}
