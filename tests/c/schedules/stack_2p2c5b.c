//@ run: verify
//@ verdict: safe
// Fig. 13 of the safe-schedules paper: 2 producers and 2 consumers of a stack of 5.
#include <assert.h>
#include <pthread.h>

#define SIZE 5
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
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, i < 2 ? producer : consumer, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
