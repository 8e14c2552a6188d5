// A destructor of thread-specific data runs when a thread ends.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <pthread.h>

static pthread_key_t key;
static int ended;

static void end(void *unused) {
  (void)unused;
  ended++;
}

static void *work(void *argument) {
  pthread_setspecific(key, argument);
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_key_create(&key, end);
  pthread_create(&worker, NULL, work, &key);
  pthread_join(worker, NULL);
  return ended;
}
