// Objects with a table of functions, as C programs write classes.
#include <stdio.h>

struct shape;
struct methods {
    int (*area)(const struct shape *);
    void (*scale)(struct shape *, int);
};
struct shape {
    const struct methods *methods;
    int width, height;
};

static int box_area(const struct shape *s) { return s->width * s->height; }
static void box_scale(struct shape *s, int by) {
    s->width *= by;
    s->height *= by;
}
static int line_area(const struct shape *s) { return s->width - s->width; }
static void line_scale(struct shape *s, int by) { s->width += by; }

static const struct methods box = {box_area, box_scale};
static const struct methods line = {.scale = line_scale, .area = line_area};

int main(void) {
    struct shape shapes[] = {{&box, 2, 3}, {&line, 9, 0}, {&box, 1, 1}};
    int total = 0;
    for (int i = 0; i < 3; i++) {
        shapes[i].methods->scale(&shapes[i], i + 2);
        total += shapes[i].methods->area(&shapes[i]);
        printf("%d ", shapes[i].width);
    }
    printf("%d\n", total);
    return 0;
}
