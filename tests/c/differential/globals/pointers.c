// Globals that point to globals, to elements and to members.
#include <stdio.h>

struct pair {
    int first, second;
};

int x = 1;
int *px = &x;
int **ppx = &px;
int v[4] = {10, 20, 30, 40};
int *third = &v[2];
int *end = v + 4;
struct pair pair = {5, 6};
int *second = &pair.second;
const char *name = "name";
int *const fixed = v + 1;

int main(void) {
    **ppx = 7;
    *third += *fixed;
    *second = 66;
    printf("%d %d %d\n", x, v[2], pair.second);
    printf("%ld %c\n", (long)(end - third), name[1]);
    *ppx = &v[0];
    *px = 3;
    printf("%d %d\n", x, v[0]);
    return 0;
}
