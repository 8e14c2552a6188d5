// Cancelling a thread.
//@ run: explore
//@ run(live): live
//@ run(async): async
//@ verdict(explore): unknown
//@ exit(explore): 3
//@ exit(live): 2
//@ exit(async): 2
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_testcancel();
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_cancel(worker);
  pthread_join(worker, NULL);
  pthread_mutex_lock(&lock);
  return 0;
}
