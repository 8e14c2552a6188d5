// A reference count of 8 bits wraps around to zero.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar references = 254;

static void *take(void *unused) {
  (void)unused;
  references++;
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, take, NULL);
  pthread_create(&second, NULL, take, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(references != 0); //~ assertion
  return 0;
}
