// Another thread sets the divisor to zero after the check.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static int count = 2, sum = 10;

static void *reset(void *unused) {
  (void)unused;
  sum = 0;
  count = 0;
  return NULL;
}

int main(void) {
  pthread_t other;
  int average = 0;
  pthread_create(&other, NULL, reset, NULL);
  if (count != 0)
    average = sum / count; //~ memory
  pthread_join(other, NULL);
  return average;
}
