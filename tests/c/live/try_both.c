// Two locks in different orders, with `trylock` and a way back: no deadlock, but a livelock.
//@ run: explore --check deadlock,non-termination
//@ verdict: unsafe
//@ kind: non-termination
//@ exit: 1
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void lock_both(pthread_mutex_t *first, pthread_mutex_t *second) {
  for (;;) {
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0)
      return;
    pthread_mutex_unlock(first);
  }
}

static void *work(void *unused) {
  (void)unused;
  lock_both(&b, &a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  lock_both(&a, &b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(other, NULL);
  return 0;
}
