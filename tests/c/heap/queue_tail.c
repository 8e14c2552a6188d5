// The tail of the queue is not reset when the queue becomes empty: the next item is lost with the freed one.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <stdlib.h>

struct item {
  int value;
  struct item *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item *head, *tail;

static void *put(void *argument) {
  struct item *item = malloc(sizeof *item);
  item->value = (int)(long)argument;
  item->next = NULL;
  pthread_mutex_lock(&lock);
  if (tail != NULL)
    tail->next = item; //~ memory
  else
    head = item;
  tail = item;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void take(void) {
  pthread_mutex_lock(&lock);
  struct item *item = head;
  if (item != NULL)
    head = item->next;
  pthread_mutex_unlock(&lock);
  free(item);
}

int main(void) {
  pthread_t other;
  put((void *)1);
  pthread_create(&other, NULL, put, (void *)2);
  take();
  pthread_join(other, NULL);
  return 0;
}
