// A sequence lock: readers try again if a writer was there.
//@ run: explore
//@ verdict: safe
//@ exit: 0
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
  unsigned before;
  int a, b;
  pthread_create(&writer, NULL, update, NULL);
  do {
    before = sequence;
    a = x;
    b = y;
  } while (before % 2 == 1 || sequence != before);
  assert(a == b);
  pthread_join(writer, NULL);
  return 0;
}
