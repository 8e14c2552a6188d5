// A node is read after it was freed.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static void release(struct node *list) {
  for (struct node *node = list; node != NULL; node = node->next) //~ memory
    free(node);
}

int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 2; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = list;
    list = node;
  }
  release(list);
  return 0;
}
