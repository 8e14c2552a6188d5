/* Fig. 13 of the safe-schedules paper: producers and consumers of a stack. */
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

#ifndef SIZE
#define SIZE 5
#endif
#ifndef PAIRS
#define PAIRS 1
#endif
#define OVERFLOW (-1)
#define UNDERFLOW (-2)

static int stack[SIZE];
static int top;
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
  return stack[top];
}

static void *producer(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    if (top != SIZE) {
      assert(push(1) != OVERFLOW);
      raddle_progress();
    }
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *consumer(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    if (top > 0) {
      assert(pop() != UNDERFLOW);
      raddle_progress();
    }
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2 * PAIRS];
  for (int i = 0; i < 2 * PAIRS; i++)
    pthread_create(&threads[i], NULL, i < PAIRS ? producer : consumer, NULL);
  for (int i = 0; i < 2 * PAIRS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
