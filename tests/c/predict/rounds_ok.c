// A procedure that locks in each round of a loop does something new in each: others may come in between.
//@ run: predict --simulate --no-run
//@ verdict: none
#include <pthread.h>

static int served, waiting = 6;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void serve(void) {
  for (;;) {
    pthread_mutex_lock(&lock);
    int some = waiting > 0;
    if (some) {
      waiting--;
      served++;
    }
    pthread_mutex_unlock(&lock);
    if (!some)
      return;
  }
}

static void *server(void *unused) {
  serve();
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, server, NULL);
  pthread_create(&second, NULL, server, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}
