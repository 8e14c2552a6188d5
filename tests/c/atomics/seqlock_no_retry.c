// The reader looks only whether a writer is there at first.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;

static void *update(void *unused) {
  (void)unused;
  sequence++;
  x = 1;
  y = 1;
  sequence++;
  return NULL;
}

int main(void) {
  pthread_t writer;
  pthread_create(&writer, NULL, update, NULL);
  while (sequence % 2 == 1)
    ;
  int a = x, b = y;
  assert(a == b); //~ assertion
  pthread_join(writer, NULL);
  return 0;
}
