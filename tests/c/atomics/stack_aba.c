// A stack with compare and exchange, of nodes that are used again: between the look at the top and the exchange the same node
// comes back with another successor (ABA).
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  struct node *_Atomic next;
  atomic_int owned;
};

static struct node nodes[2];
static struct node *_Atomic top;

static void push(struct node *node) {
  struct node *old = top;
  do
    node->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, node));
}

static struct node *pop(void) {
  struct node *old = top;
  while (old != NULL && !atomic_compare_exchange_strong(&top, &old, old->next))
    ;
  if (old != NULL) {
    int before = atomic_exchange(&old->owned, 1);
    assert(before == 0); //~ assertion
  }
  return old;
}

static void *work(void *unused) {
  (void)unused;
  struct node *first = pop();
  pop();
  if (first != NULL) {
    first->owned = 0;
    push(first);
  }
  return NULL;
}

int main(void) {
  pthread_t other;
  nodes[0].next = &nodes[1];
  top = &nodes[0];
  pthread_create(&other, NULL, work, NULL);
  pop();
  pop();
  pthread_join(other, NULL);
  return 0;
}
