// The next node is remembered before this one is freed.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static void release(struct node *list) {
  while (list != NULL) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
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
