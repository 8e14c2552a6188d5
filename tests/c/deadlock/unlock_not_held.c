// A lock is given back by a thread that does not hold it.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *finish(void *unused) {
  (void)unused;
  pthread_mutex_unlock(&lock); //~ assertion
  return NULL;
}

int main(void) {
  pthread_t helper;
  pthread_mutex_lock(&lock);
  pthread_create(&helper, NULL, finish, NULL);
  pthread_join(helper, NULL);
  return 0;
}
