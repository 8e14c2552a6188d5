// The destructor of thread-specific data runs when a thread ends, with the value of that thread.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int ended;

static void end(void *value) { *(int *)value += 1; }

static void *work(void *argument) {
  pthread_setspecific(key, argument);
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_key_create(&key, end);
  pthread_create(&worker, NULL, work, &ended);
  pthread_join(worker, NULL);
  assert(ended == 1);
  return 0;
}
