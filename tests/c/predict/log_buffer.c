// The length of the log buffer is read under the lock and written under the lock, but not in one section. The block that should
// be indivisible is marked.
//@ run: predict --simulate --no-run --check atomicity
//@ verdict: violations
//@ kind: atomicity

#include "raddle.h"
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int length;
static int buffer[8];

static void *writer(void *argument) {
  int entry = (int)(long)argument;
  int at;
  RADDLE_ATOMIC {
    pthread_mutex_lock(&mutex);
    at = length;
    pthread_mutex_unlock(&mutex);
    buffer[at] = entry;
    pthread_mutex_lock(&mutex);
    length = at + 1;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, writer, (void *)1);
  pthread_create(&second, NULL, writer, (void *)2);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
