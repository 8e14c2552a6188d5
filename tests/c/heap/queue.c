// A queue with a lock and a condition variable, both inside the struct on the heap.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct item {
  int value;
  struct item *next;
};

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t not_empty;
  struct item *head, *tail;
};

static struct queue *new_queue(void) {
  struct queue *queue = calloc(1, sizeof *queue);
  pthread_mutex_init(&queue->lock, NULL);
  pthread_cond_init(&queue->not_empty, NULL);
  return queue;
}

static void put(struct queue *queue, int value) {
  struct item *item = malloc(sizeof *item);
  item->value = value;
  item->next = NULL;
  pthread_mutex_lock(&queue->lock);
  if (queue->tail != NULL)
    queue->tail->next = item;
  else
    queue->head = item;
  queue->tail = item;
  pthread_cond_signal(&queue->not_empty);
  pthread_mutex_unlock(&queue->lock);
}

static int get(struct queue *queue) {
  pthread_mutex_lock(&queue->lock);
  while (queue->head == NULL)
    pthread_cond_wait(&queue->not_empty, &queue->lock);
  struct item *item = queue->head;
  queue->head = item->next;
  if (queue->head == NULL)
    queue->tail = NULL;
  pthread_mutex_unlock(&queue->lock);
  int value = item->value;
  free(item);
  return value;
}

static void *produce(void *argument) {
  put(argument, 1);
  put(argument, 2);
  return NULL;
}

int main(void) {
  pthread_t producer;
  struct queue *queue = new_queue();
  pthread_create(&producer, NULL, produce, queue);
  assert(get(queue) == 1);
  assert(get(queue) == 2);
  pthread_join(producer, NULL);
  free(queue);
  return 0;
}
