// A destructor of thread-specific data runs when a thread ends, with the value that the thread left.
//@ run: explore
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int ended;

static void end(void *counter) {
  int *ends = counter;
  (*ends)++;
}

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
