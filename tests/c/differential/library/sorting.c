// Sorting and searching: numbers, structs, and elements of an odd size.
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int key;
    char tag;
};

struct entry {
    const char *name;
    int *count;
};

struct odd {
    char text[3];
};

static int numbers(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int pairs(const void *a, const void *b) {
    return numbers(&((const struct pair *)a)->key, &((const struct pair *)b)->key);
}

static int odds(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

static int entries(const void *a, const void *b) {
    return ((const struct entry *)a)->name[0] - ((const struct entry *)b)->name[0];
}

int main(void) {
    int all[] = {5, -3, 9, 0, 7, -3};
    qsort(all, 6, sizeof *all, numbers);
    for (int i = 0; i < 6; i++) {
        printf("%d ", all[i]);
    }
    int wanted = 7, missing = 6;
    int *found = bsearch(&wanted, all, 6, sizeof *all, numbers);
    printf("%d %d\n", (int)(found - all), bsearch(&missing, all, 6, sizeof *all, numbers) == NULL);
    struct pair some[] = {{3, 'a'}, {1, 'b'}, {2, 'c'}};
    qsort(some, 3, sizeof *some, pairs);
    struct pair key = {2, 0};
    struct pair *pair = bsearch(&key, some, 3, sizeof *some, pairs);
    printf("%c%c%c %c\n", some[0].tag, some[1].tag, some[2].tag, pair->tag);
    struct entry list[] = {{"two", &all[2]}, {"one", &all[1]}, {"six", &all[5]}};
    qsort(list, 3, sizeof *list, entries);
    printf("%c%d %c%d %c%d\n", list[0].name[1], *list[0].count, list[1].name[1], *list[1].count, list[2].name[1],
           *list[2].count);
    struct odd three[] = {{"cx"}, {"ay"}, {"bz"}};
    qsort(three, 3, sizeof *three, odds);
    printf("%c%c %c%c %c%c\n", three[0].text[0], three[0].text[1], three[1].text[0], three[1].text[1],
           three[2].text[0], three[2].text[1]);
    return 0;
}
