//@ run: verify
//@ verdict: partially-safe
//@ kind: deadlock
// Fig. 7 of the safe-schedules paper: two mutexes taken in opposite orders.
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *forwards(void *unused) {
  for (;;) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
  }
  return unused;
}

static void *backwards(void *unused) {
  for (;;) {
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
  }
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, forwards, NULL);
  pthread_create(&other, NULL, backwards, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
