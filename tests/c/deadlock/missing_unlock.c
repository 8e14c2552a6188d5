// The error path forgets to give the lock back.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static int take(void) {
  pthread_mutex_lock(&lock); //~ deadlock
  if (stock == 0)
    return -1;
  stock--;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *buy(void *unused) {
  (void)unused;
  take();
  take();
  return NULL;
}

int main(void) {
  pthread_t customer;
  pthread_create(&customer, NULL, buy, NULL);
  take();
  pthread_join(customer, NULL);
  return 0;
}
