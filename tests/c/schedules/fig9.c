//@ run: verify
//@ verdict: partially-safe
//@ kind: assertion
// Fig. 9 of the safe-schedules paper with a buffer of one: two producers and two consumers look at the space before they
// take the mutex.
#include <assert.h>
#include <pthread.h>

#define SIZE 1

static int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *produce(void *unused) {
  for (;;)
    if (count < SIZE) {
      pthread_mutex_lock(&mutex);
      assert(count < SIZE);
      count++;
      pthread_mutex_unlock(&mutex);
    }
  return unused;
}

static void *consume(void *unused) {
  for (;;)
    if (count > 0) {
      pthread_mutex_lock(&mutex);
      assert(count > 0);
      count--;
      pthread_mutex_unlock(&mutex);
    }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, i < 2 ? produce : consume, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
