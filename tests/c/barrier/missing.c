// Half of the array is filled by another thread; nobody waits for it.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static int part[2];

static void *fill(void *unused) {
  (void)unused;
  part[1] = 2;
  return NULL;
}

int main(void) {
  pthread_t helper;
  pthread_create(&helper, NULL, fill, NULL);
  part[0] = 1;
  assert(part[0] + part[1] == 3); //~ assertion
  pthread_join(helper, NULL);
  return 0;
}
