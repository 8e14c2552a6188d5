// One function looks whether there is room, and another one takes it. Both hold the lock, but not from the one to the other.
//@ run: predict --simulate --no-run --check atomicity
//@ verdict: violations
//@ kind: atomicity
#include <pthread.h>

#define MOST 2

static int guests;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_full(void) {
  pthread_mutex_lock(&lock);
  int full = guests >= MOST;
  pthread_mutex_unlock(&lock);
  return full;
}

static void enter(int number) {
  pthread_mutex_lock(&lock);
  guests += number;
  pthread_mutex_unlock(&lock);
}

static void *guest(void *arg) {
  if (!is_full())
    enter(1);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, guest, NULL);
  pthread_create(&second, NULL, guest, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
