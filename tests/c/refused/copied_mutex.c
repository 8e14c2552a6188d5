// A copy of a mutex is no mutex.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <pthread.h>

static pthread_mutex_t original = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t copy;

int main(void) {
  copy = original;
  pthread_mutex_lock(&copy);
  pthread_mutex_lock(&original);
  return 0;
}
