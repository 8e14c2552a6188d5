// Two threads push and pop under a lock, and everything is freed.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *top;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  pthread_mutex_lock(&lock);
  node->next = top;
  top = node;
  pthread_mutex_unlock(&lock);
}

static int pop(void) {
  pthread_mutex_lock(&lock);
  struct node *node = top;
  top = node->next;
  pthread_mutex_unlock(&lock);
  int value = node->value;
  free(node);
  return value;
}

static void *work(void *argument) {
  push((int)(long)argument);
  pop();
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, (void *)1);
  work((void *)2);
  pthread_join(other, NULL);
  assert(top == NULL);
  return 0;
}
