// The first thread waits for another one while it holds the lock that the other needs to finish.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void *work(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock); //~ deadlock
  finished = 1;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_mutex_lock(&lock);
  if (!finished)
    pthread_join(worker, NULL);
  pthread_mutex_unlock(&lock);
  return 0;
}
