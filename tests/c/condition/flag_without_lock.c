// The flag is set without the lock: between the test and the wait.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *produce(void *unused) {
  (void)unused;
  ready = 1;
  pthread_cond_signal(&arrived);
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_mutex_lock(&lock);
  while (!ready)
    pthread_cond_wait(&arrived, &lock); //~ deadlock
  pthread_mutex_unlock(&lock);
  pthread_join(producer, NULL);
  return 0;
}
