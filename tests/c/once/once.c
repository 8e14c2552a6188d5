// `pthread_once`: one thread initialises, and the other waits until that is done.
//@ run: explore
//@ run(race): explore --check race
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table, calls;

static void initialise(void) {
  calls++;
  table = 7;
}

static void *work(void *unused) {
  (void)unused;
  pthread_once(&once, initialise);
  assert(table == 7);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(calls == 1);
  return 0;
}
