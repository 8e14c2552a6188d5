// Two threads take turns with two condition variables. Nobody waits for ever in another order of these events.
//@ run: predict --simulate --no-run --check deadlock
//@ verdict: none
//@ exit: 0

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int items;

static void *fill(void *argument) {
  for (int round = 0; round < 10; round++) {
    pthread_mutex_lock(&mutex);
    while (items > 0)
      pthread_cond_wait(&emptied, &mutex);
    items++;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&filled);
  }
  return argument;
}

static void *empty(void *argument) {
  for (int round = 0; round < 10; round++) {
    pthread_mutex_lock(&mutex);
    while (items == 0)
      pthread_cond_wait(&filled, &mutex);
    items--;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&emptied);
  }
  return argument;
}

int main(void) {
  pthread_t filler, emptier;
  pthread_create(&filler, NULL, fill, NULL);
  pthread_create(&emptier, NULL, empty, NULL);
  pthread_join(filler, NULL);
  pthread_join(emptier, NULL);
  return 0;
}
