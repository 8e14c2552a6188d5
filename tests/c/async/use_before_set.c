// The result is used before the task that makes it has completed.
//@ run: async
//@ verdict: violation
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static int page;

static void *load(void *unused) {
  (void)unused;
  page = 1;
  return NULL;
}

int main(void) {
  pthread_t loader;
  pthread_create(&loader, NULL, load, NULL);
  assert(page == 1); //~ assertion
  pthread_join(loader, NULL);
  return 0;
}
