// Two threads push on a stack without a lock: a node is lost.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

static struct node *top;

static void *push(void *unused) {
  (void)unused;
  struct node *node = malloc(sizeof *node);
  node->next = top;
  top = node;
  return NULL;
}

int main(void) {
  pthread_t other;
  int count = 0;
  pthread_create(&other, NULL, push, NULL);
  push(NULL);
  pthread_join(other, NULL);
  for (struct node *node = top; node != NULL; node = node->next)
    count++;
  assert(count == 2); //~ assertion
  return 0;
}
