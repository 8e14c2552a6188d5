// Structs in structs, arrays in structs, structs in arrays.
#include <stdio.h>

struct cell {
    unsigned char alive : 1;
    int age;
};

struct board {
    int width, height;
    struct cell cells[2][3];
};

struct game {
    struct board now, before;
    const char *name;
};

static void age(struct board *b) {
    for (int i = 0; i < b->height; i++) {
        for (int j = 0; j < b->width; j++) {
            b->cells[i][j].age += b->cells[i][j].alive ? i + 1 : -j;
        }
    }
}

int main(void) {
    struct game g = {.now = {3, 2, {{{1, 5}}}}, .name = "life"};
    g.now.cells[1][2].alive = 1;
    g.before = g.now;
    age(&g.now);
    age(&g.now);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) {
            printf("%d/%d ", g.before.cells[i][j].age, g.now.cells[i][j].age);
        }
    }
    printf("%c\n", g.name[1]);
    return 0;
}
