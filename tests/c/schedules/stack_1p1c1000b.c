//@ run(first): verify --until first-schedule
//@ run(all): verify
//@ verdict(all): safe
//@ verdict(first): unknown
//@ exit: 0
// Fig. 13 of the safe-schedules paper: 1 producer and 1 consumer of a stack of 1000.
#include <assert.h>
#include <pthread.h>

#define SIZE 1000
#define OVERFLOW (-1)
#define UNDERFLOW (-2)

static int stack[SIZE];
static int top, last;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int push(int value) {
  if (top == SIZE)
    return OVERFLOW;
  stack[top] = value;
  top++;
  return 0;
}

static int pop(void) {
  if (top == 0)
    return UNDERFLOW;
  top--;
  last = stack[top];
  return 0;
}

static void *producer(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    if (top != SIZE)
      assert(push(1) != OVERFLOW);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *consumer(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    if (top > 0)
      assert(pop() != UNDERFLOW);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, i < 1 ? producer : consumer, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
