// Both threads give way to each other, in step, for ever.
//@ run: live
//@ run: explore --check non-termination
//@ verdict(live): non-terminating
//@ verdict(explore): unsafe
//@ exit: 1
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool left_wants, right_wants;

static void *left(void *unused) {
  (void)unused;
  left_wants = 1;
  while (right_wants) {
    left_wants = 0;
    left_wants = 1;
  }
  left_wants = 0;
  return NULL;
}

static void *right(void *unused) {
  (void)unused;
  right_wants = 1;
  while (left_wants) {
    right_wants = 0;
    right_wants = 1;
  }
  right_wants = 0;
  return NULL;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, left, NULL);
  pthread_create(&two, NULL, right, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
