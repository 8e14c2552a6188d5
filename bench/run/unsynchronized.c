/* Fig. 1 of the safe-schedules paper: a producer that does not look for space, and a consumer that does not look for items. */
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

#define SIZE 4

static int buffer[SIZE + 1];
static int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *produce(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    assert(count < SIZE);
    buffer[count] = 1;
    count++;
    pthread_mutex_unlock(&mutex);
    raddle_progress();
  }
  return unused;
}

static void *consume(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    assert(count > 0);
    count--;
    pthread_mutex_unlock(&mutex);
    raddle_progress();
  }
  return unused;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  return 0;
}
