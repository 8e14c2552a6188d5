// A mean of two measurements. The update is no single step, so one may be lost.
//@ run(broken): explore
//@ run(fixed): explore -DLOCKED
//@ verdict(broken): unsafe
//@ verdict(fixed): safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double sum;

static void *measure(void *unused) {
  (void)unused;
#ifdef LOCKED
  pthread_mutex_lock(&lock);
#endif
  sum = sum + 0.5;
#ifdef LOCKED
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, measure, NULL);
  pthread_create(&second, NULL, measure, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(sum / 2 == 0.5); //~(broken) assertion
  return 0;
}
