// Who finds the place free takes it. The value that is written does not depend on what was read, but whether it is written does.
//@ run: predict --simulate --no-run --check atomicity
//@ verdict: violations
//@ kind: atomicity
//@ exit: 1

#include <pthread.h>

#define CLOSED 9

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int owner;

static int is_open(void) {
  pthread_mutex_lock(&mutex);
  int open = owner != CLOSED;
  pthread_mutex_unlock(&mutex);
  return open;
}

static void *visitor(void *argument) {
  if (is_open()) {
    pthread_mutex_lock(&mutex);
    owner = (int)(long)argument;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, visitor, (void *)1);
  pthread_create(&second, NULL, visitor, (void *)2);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
