// Nothing but the signal tells that the data is there. A signal that comes before the wait is lost.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&arrived, &lock); //~ deadlock
  pthread_mutex_unlock(&lock);
  pthread_join(producer, NULL);
  return 0;
}
