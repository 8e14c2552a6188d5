// `if` instead of `while`: wrong only if a wait ends without a signal, which POSIX allows.
//@ run: explore
//@ run(spurious): explore --spurious-wakeups
//@ run(verified): verify --check assertion
//@ verdict(explore): unsafe
//@ verdict(verified): partially-safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int ready;

static void *produce(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_mutex_lock(&lock);
  if (!ready)
    pthread_cond_wait(&arrived, &lock);
  assert(ready); //~ assertion
  pthread_mutex_unlock(&lock);
  pthread_join(producer, NULL);
  return 0;
}
