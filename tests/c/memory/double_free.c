// Two threads throw the same cache away.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <stdlib.h>

static int *cache;

static void *clear(void *unused) {
  (void)unused;
  if (cache != NULL) {
    free(cache); //~ memory
    cache = NULL;
  }
  return NULL;
}

int main(void) {
  pthread_t other;
  cache = malloc(sizeof *cache);
  pthread_create(&other, NULL, clear, NULL);
  clear(NULL);
  pthread_join(other, NULL);
  return 0;
}
