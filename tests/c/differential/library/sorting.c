// Sorting and searching: numbers, structs, and elements of an odd size.
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int key;
    char tag;
};

struct named {
    const char *name;
    int *count;
};

struct odd {
    char text[3];
};

struct line {
    long at[7];
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
    return ((const struct named *)a)->name[0] - ((const struct named *)b)->name[0];
}

static int lines(const void *a, const void *b) {
    long x = ((const struct line *)a)->at[6], y = ((const struct line *)b)->at[6];
    return (x > y) - (x < y);
}

static int fives(const void *a, const void *b) { return ((const char *)a)[4] - ((const char *)b)[4]; }

static int counted(const void *a, const void *b, void *count) {
    ++*(int *)count;
    return numbers(b, a);
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
    struct named list[] = {{"two", &all[2]}, {"one", &all[1]}, {"six", &all[5]}};
    qsort(list, 3, sizeof *list, entries);
    printf("%c%d %c%d %c%d\n", list[0].name[1], *list[0].count, list[1].name[1], *list[1].count, list[2].name[1],
           *list[2].count);
    struct odd three[] = {{"cx"}, {"ay"}, {"bz"}};
    qsort(three, 3, sizeof *three, odds);
    printf("%c%c %c%c %c%c\n", three[0].text[0], three[0].text[1], three[1].text[0], three[1].text[1],
           three[2].text[0], three[2].text[1]);
    // A size that is no number of words, and one that is.
    struct line many[3] = {{{1, 1, 1, 1, 1, 1, 30}}, {{2, 2, 2, 2, 2, 2, 10}}, {{3, 3, 3, 3, 3, 3, 20}}};
    qsort(many, 3, sizeof *many, lines);
    printf("%ld %ld %ld\n", many[0].at[0], many[1].at[5], many[2].at[6]);
    char five[3][5] = {"abc3", "def1", "ghi2"};
    five[0][4] = 3, five[1][4] = 1, five[2][4] = 2;
    qsort(five, 3, sizeof *five, fives);
    printf("%c%c%c\n", five[0][0], five[1][1], five[2][2]);
    // More than are sorted by insertion.
    int numbered[40], compared = 0;
    for (int i = 0; i < 40; i++)
        numbered[i] = i * 17 % 40;
    qsort_r(numbered, 40, sizeof *numbered, counted, &compared);
    int right = 1;
    for (int i = 0; i < 40; i++)
        right &= numbered[i] == 39 - i;
    printf("%d %d\n", right, compared > 39);
    int known[4] = {4, 8};
    size_t count = 2;
    int *eight = lfind(&(int){8}, known, &count, sizeof *known, numbers);
    int *nine = lsearch(&(int){9}, known, &count, sizeof *known, numbers);
    printf("%d %d %d\n", (int)(eight - known), (int)(nine - known), (int)count);
    return 0;
}
