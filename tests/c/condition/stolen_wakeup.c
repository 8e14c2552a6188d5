// Two consumers and `if`: one that never waited takes the item before the one that was woken.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (items == 0)
    pthread_cond_wait(&not_empty, &lock);
  assert(items > 0); //~ assertion
  items--;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void produce(void) {
  pthread_mutex_lock(&lock);
  items++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, consume, NULL);
  pthread_create(&second, NULL, consume, NULL);
  produce();
  produce();
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
