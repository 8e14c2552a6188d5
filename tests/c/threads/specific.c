// Thread-specific data: every thread has its own value for a key.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *work(void *argument) {
  assert(pthread_getspecific(key) == NULL);
  pthread_setspecific(key, argument);
  assert(pthread_getspecific(key) == argument);
  return NULL;
}

int main(void) {
  pthread_t other;
  int a, b;
  pthread_key_create(&key, NULL);
  pthread_create(&other, NULL, work, &a);
  work(&b);
  pthread_join(other, NULL);
  return 0;
}
