// Two threads wait for the start, but only one is signalled.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER;
static int started;

static void *run(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!started)
    pthread_cond_wait(&start, &lock); //~ deadlock
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, run, NULL);
  pthread_create(&second, NULL, run, NULL);
  pthread_mutex_lock(&lock);
  started = 1;
  pthread_cond_signal(&start);
  pthread_mutex_unlock(&lock);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
