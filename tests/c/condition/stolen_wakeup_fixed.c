// Two consumers that look again after the wait.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (items == 0)
    pthread_cond_wait(&not_empty, &lock);
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
  assert(items == 0);
  return 0;
}
