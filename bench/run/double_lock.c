/* Fig. 7 of the safe-schedules paper: two mutexes, taken in opposite orders unless it is built with -DCORRECT. */
#include <pthread.h>
#include <raddle.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

/* Some work that takes time. */
static void work(void) {
#ifdef WORK
  usleep(WORK);
#endif
}

static void *forwards(void *unused) {
  for (;;) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    work();
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    raddle_progress();
  }
  return unused;
}

static void *backwards(void *unused) {
  for (;;) {
#ifdef CORRECT
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
#else
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
#endif
    work();
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    raddle_progress();
  }
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, forwards, NULL);
  pthread_create(&other, NULL, backwards, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
