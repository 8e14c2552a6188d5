// Every path gives the lock back.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static int take(void) {
  int result = -1;
  pthread_mutex_lock(&lock);
  if (stock == 0)
    goto out;
  stock--;
  result = 0;
out:
  pthread_mutex_unlock(&lock);
  return result;
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
