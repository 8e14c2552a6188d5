// A wait with a time limit: the result says whether there was a signal, and has to be looked at.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int reply;

static void *answer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  reply = 1;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t server;
  struct timespec deadline = {1, 0};
  int result = 0;
  pthread_create(&server, NULL, answer, NULL);
  pthread_mutex_lock(&lock);
  while (!reply && result != ETIMEDOUT)
    result = pthread_cond_timedwait(&arrived, &lock, &deadline);
  assert(reply); //~ assertion
  pthread_mutex_unlock(&lock);
  pthread_join(server, NULL);
  return 0;
}
