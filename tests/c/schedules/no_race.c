//@ run: verify --check race
//@ verdict: safe
// Two threads write to a variable, one after the other: there is a lock.
#include <pthread.h>

static int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *write_it(void *unused) {
  pthread_mutex_lock(&mutex);
  shared = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, write_it, NULL);
  pthread_create(&other, NULL, write_it, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
