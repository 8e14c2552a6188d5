//@ run: verify
//@ verdict: partially-safe
//@ kind: assertion
// Fig. 1 of the safe-schedules paper with a buffer of four: producing and consuming in turns is safe.
#include <assert.h>
#include <pthread.h>

#define SIZE 4

static int buffer[SIZE];
static int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *produce(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    assert(count < SIZE);
    buffer[count] = 1;
    count++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *consume(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    assert(count > 0);
    count--;
    pthread_mutex_unlock(&mutex);
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
