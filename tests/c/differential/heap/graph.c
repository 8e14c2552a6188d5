// A graph with edges in lists, and a search through it.
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 6 };

struct edge {
    int to;
    struct edge *next;
};

static struct edge *edges[NODES];
static int seen[NODES], order[NODES], count;

static void connect(int from, int to) {
    struct edge *e = malloc(sizeof *e);
    e->to = to;
    e->next = edges[from];
    edges[from] = e;
}

static void visit(int node) {
    if (seen[node]) {
        return;
    }
    seen[node] = 1;
    order[count++] = node;
    for (struct edge *e = edges[node]; e; e = e->next) {
        visit(e->to);
    }
}

int main(void) {
    connect(0, 1);
    connect(0, 2);
    connect(2, 3);
    connect(3, 0);
    connect(4, 5);
    visit(0);
    for (int i = 0; i < count; i++) {
        printf("%d ", order[i]);
    }
    printf("%d %d\n", seen[1], seen[4]);
    for (int i = 0; i < NODES; i++) {
        for (struct edge *e = edges[i], *next; e; e = next) {
            next = e->next;
            free(e);
        }
    }
    return 0;
}
