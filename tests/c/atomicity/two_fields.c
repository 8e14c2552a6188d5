// Two fields that belong together are written and read under the lock, but one by one.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

struct range {
  pthread_mutex_t lock;
  int low, high;
};

static struct range range = {PTHREAD_MUTEX_INITIALIZER, 0, 10};

static void set(int *field, int value) {
  pthread_mutex_lock(&range.lock);
  *field = value;
  pthread_mutex_unlock(&range.lock);
}

static void *move(void *unused) {
  (void)unused;
  set(&range.low, 20);
  set(&range.high, 30);
  return NULL;
}

int main(void) {
  pthread_t mover;
  pthread_create(&mover, NULL, move, NULL);
  pthread_mutex_lock(&range.lock);
  assert(range.low <= range.high); //~ assertion
  pthread_mutex_unlock(&range.lock);
  pthread_join(mover, NULL);
  return 0;
}
