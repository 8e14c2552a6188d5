// Compound literals: as arguments, as arrays, as targets of pointers, at file scope.
#include <stdio.h>

struct point {
    int x, y;
};

static int *numbers = (int[]){3, 1, 4};
static struct point *origin = &(struct point){.y = 2};

static int cross(struct point a, struct point b) { return a.x * b.y - a.y * b.x; }
static int total(const int *v, int n) { return n ? *v + total(v + 1, n - 1) : 0; }

int main(void) {
    printf("%d\n", cross((struct point){1, 2}, (struct point){.x = 3, .y = 4}));
    printf("%d %d\n", total((int[]){1, 2, 3, 4}, 4), total(numbers, 3));
    struct point *p = &(struct point){5, 6};
    p->x += origin->y;
    *origin = (struct point){p->y, p->x};
    printf("%d %d %d\n", p->x, origin->x, origin->y);
    return 0;
}
