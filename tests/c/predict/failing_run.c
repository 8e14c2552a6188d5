// The run from which is predicted goes wrong itself: the assertion fails in the last of three threads.
//@ run: predict --simulate --no-run --check assertion
//@ verdict: violations
//@ kind: assertion
//@ exit: 1

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add(void *argument) {
  pthread_mutex_lock(&mutex);
  data += (int)(long)argument;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *look(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  if (data >= 3)
    assert(0); //~ assertion
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, NULL, add, (void *)1);
  pthread_create(&second, NULL, add, (void *)2);
  pthread_create(&third, NULL, look, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  return 0;
}
