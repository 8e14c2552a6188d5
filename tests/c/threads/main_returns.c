// When the first thread returns from `main`, the program ends, whatever other threads do.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_ever(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  return NULL;
}

int main(void) {
  pthread_t waiter;
  pthread_mutex_lock(&lock);
  pthread_create(&waiter, NULL, wait_for_ever, NULL);
  return 0;
}
