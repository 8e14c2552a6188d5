// Counting under a lock that is held for reading only.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *look_up(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  hits++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, look_up, NULL);
  look_up(NULL);
  pthread_join(other, NULL);
  assert(hits == 2); //~ assertion
  return 0;
}
