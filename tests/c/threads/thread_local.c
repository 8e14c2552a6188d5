// Every thread has its own copy of a thread-local variable.
//@ run: explore
//@ run(race): explore --check race
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static _Thread_local int calls = 10;

static void *work(void *unused) {
  (void)unused;
  calls++;
  calls++;
  assert(calls == 12);
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
  return 0;
}
