//@ run: verify --check race
//@ verdict: partially-safe
//@ kind: data-race
// Two threads write to a variable at the same time, unless one runs after the other.
#include <pthread.h>

static int shared;

static void *write_it(void *unused) {
  shared = 1; //~ data-race
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
