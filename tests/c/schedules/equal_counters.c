//@ run: verify
//@ verdict: safe
//@ exit: 0
// Two counters are equal in each of 100000 rounds: that has to be inferred.
#include <assert.h>
#include <pthread.h>

static int x, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
  for (int i = 0; i < 100000; i++) {
    pthread_mutex_lock(&mutex);
    x++;
    y++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *compare(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    assert(x == y);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t counter, comparer;
  pthread_create(&counter, NULL, count, NULL);
  pthread_create(&comparer, NULL, compare, NULL);
  pthread_join(counter, NULL);
  pthread_join(comparer, NULL);
  return 0;
}
