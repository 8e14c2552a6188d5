// Only in the second round of its loop does the reader find the flag set and fail. In the run the flag is set after all rounds.
//@ run: predict --simulate --check assertion --no-run
//@ verdict: violations
//@ kind: assertion
#include <assert.h>
#include <pthread.h>

static int flag;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *unused) {
  for (int round = 0; round < 6; round++) {
    pthread_mutex_lock(&lock);
    if (flag) {
      assert(round != 1); //~ assertion
      flag = 0;
    }
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void *writer(void *unused) {
  pthread_mutex_lock(&lock);
  flag = 1;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, reader, NULL);
  pthread_create(&second, NULL, writer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}
