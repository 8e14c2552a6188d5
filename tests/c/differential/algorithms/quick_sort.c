// Recursive sorting with pointers into the array and a comparison that is handed over.
#include <stdio.h>

typedef int (*order)(int, int);

static int up(int a, int b) { return a < b; }
static int down(int a, int b) { return a > b; }

static void sort(int *begin, int *end, order before) {
    if (end - begin < 2) {
        return;
    }
    int pivot = *begin, *split = begin;
    for (int *p = begin + 1; p < end; p++) {
        if (before(*p, pivot)) {
            int t = *++split;
            *split = *p;
            *p = t;
        }
    }
    *begin = *split;
    *split = pivot;
    sort(begin, split, before);
    sort(split + 1, end, before);
}

int main(void) {
    int v[] = {6, 2, 8, 1, 9, 3, 3};
    sort(v, v + 7, up);
    for (int i = 0; i < 7; i++) {
        printf("%d ", v[i]);
    }
    sort(v, v + 7, down);
    printf("%d %d\n", v[0], v[6]);
    return 0;
}
