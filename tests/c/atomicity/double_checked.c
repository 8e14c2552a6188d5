// Double-checked locking with the pointer set too early: who comes without the lock sees a value that is not set yet.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct config {
  int port;
};

static struct config *instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get_config(void) {
  if (instance == NULL) {
    pthread_mutex_lock(&lock);
    if (instance == NULL) {
      instance = calloc(1, sizeof *instance);
      instance->port = 80;
    }
    pthread_mutex_unlock(&lock);
  }
  return instance;
}

static void *serve(void *unused) {
  (void)unused;
  struct config *config = get_config();
  assert(config->port == 80); //~ assertion
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, serve, NULL);
  pthread_create(&second, NULL, serve, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
