// A function that takes the lock calls another one that takes it, too.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int size;

static int get_size(void) {
  pthread_mutex_lock(&lock); //~ deadlock
  int result = size;
  pthread_mutex_unlock(&lock);
  return result;
}

static void grow(void) {
  pthread_mutex_lock(&lock);
  size = get_size() + 1;
  pthread_mutex_unlock(&lock);
}

int main(void) {
  grow();
  return 0;
}
