//@ run: verify
//@ verdict: safe
//@ exit: 0
// A stack of 800 that is pushed to 800 times: there are never more elements than rounds.
#include <assert.h>
#include <pthread.h>

#define SIZE 800

static int top, stack[SIZE];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *unused) {
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&mutex);
    assert(top != SIZE);
    stack[top] = i;
    top++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *pop(void *unused) {
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&mutex);
    if (top > 0) {
      top--;
      stack[top] = 0;
    }
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t pusher, popper;
  pthread_create(&pusher, NULL, push, NULL);
  pthread_create(&popper, NULL, pop, NULL);
  pthread_join(pusher, NULL);
  pthread_join(popper, NULL);
  return 0;
}
