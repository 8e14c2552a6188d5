// A vector that grows: one thread keeps a pointer into the old block.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <stdlib.h>

static int *numbers;
static int seen;

static void *look(void *unused) {
  (void)unused;
  int *first = &numbers[0];
  seen = *first; //~ memory
  return NULL;
}

static void grow(void) {
  int *larger = malloc(4 * sizeof *larger);
  larger[0] = numbers[0];
  free(numbers);
  numbers = larger;
}

int main(void) {
  pthread_t other;
  numbers = malloc(2 * sizeof *numbers);
  numbers[0] = 5;
  pthread_create(&other, NULL, look, NULL);
  grow();
  pthread_join(other, NULL);
  free(numbers);
  return 0;
}
