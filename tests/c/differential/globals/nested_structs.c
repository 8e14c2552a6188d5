// Initialisers of nested structs, with and without names and braces.
#include <stdio.h>

struct point {
    int x, y;
};

struct box {
    struct point corner[2];
    char label;
    struct {
        unsigned char red, green;
    } colour;
};

struct box one = {{{1, 2}, {3, 4}}, 'a', {5, 6}};
struct box two = {.label = 'b', .colour.green = 9, .corner[1].y = 8};
struct box three = {1, 2, 3, 4, 'c'};
static const struct box several[2] = {[1] = {.corner = {[0] = {.y = 11}}}};

static void show(const struct box *b) {
    printf("%d %d %d %d %d %d %d\n", b->corner[0].x, b->corner[0].y, b->corner[1].x, b->corner[1].y, b->label,
           b->colour.red, b->colour.green);
}

int main(void) {
    show(&one);
    show(&two);
    show(&three);
    show(several);
    show(&several[1]);
    return 0;
}
