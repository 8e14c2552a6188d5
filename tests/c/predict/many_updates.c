// Two threads update a sum many times, and one checks it. The orders are many, but the states that they lead to are few.
//@ run: predict --simulate --no-run --check assertion,deadlock,race
//@ verdict: none
//@ exit: 0

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum = 3;

static void *sevens(void *argument) {
  for (int round = 0; round < 15; round++) {
    pthread_mutex_lock(&mutex);
    sum += 7;
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

static void *twice_sevens(void *argument) {
  for (int round = 0; round < 15; round++) {
    pthread_mutex_lock(&mutex);
    sum += 14;
    assert(sum % 7 == 3);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, sevens, NULL);
  pthread_create(&second, NULL, twice_sevens, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(sum == 3 + 15 * 21);
  return 0;
}
