// A flag says that the data is there; the signal only ends the wait.
//@ run: explore
//@ run(spurious): explore --spurious-wakeups
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *produce(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  data = 42;
  ready = 1;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_mutex_lock(&lock);
  while (!ready)
    pthread_cond_wait(&arrived, &lock);
  assert(data == 42);
  pthread_mutex_unlock(&lock);
  pthread_join(producer, NULL);
  return 0;
}
