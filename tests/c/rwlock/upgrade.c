// A reader that wants to write before it has stopped reading waits for itself.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached;

static void *look_up(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  if (!cached) {
    pthread_rwlock_wrlock(&lock); //~ deadlock
    cached = 1;
    pthread_rwlock_unlock(&lock);
  }
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  look_up(NULL);
  return 0;
}
