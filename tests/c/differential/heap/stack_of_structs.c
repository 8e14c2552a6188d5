// A stack whose elements own strings on the heap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct element {
    char *text;
    struct element *below;
};

static void push(struct element **top, const char *text) {
    struct element *e = malloc(sizeof *e);
    e->text = malloc(strlen(text) + 1);
    strcpy(e->text, text);
    e->below = *top;
    *top = e;
}

static void pop(struct element **top) {
    struct element *e = *top;
    *top = e->below;
    free(e->text);
    free(e);
}

int main(void) {
    struct element *top = NULL;
    push(&top, "one");
    push(&top, "three");
    push(&top, "four");
    top->below->text[0] = 'T';
    printf("%zu %c\n", strlen(top->text), top->below->text[0]);
    while (top) {
        putchar(top->text[1]);
        pop(&top);
    }
    putchar('\n');
    return 0;
}
