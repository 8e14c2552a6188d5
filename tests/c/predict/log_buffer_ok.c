// The repaired log buffer: all of it is in one section of the lock. Nothing divides the marked block.
//@ run: predict --simulate --no-run --check atomicity
//@ verdict: none

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
    buffer[at] = entry;
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
