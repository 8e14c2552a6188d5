// Double-checked locking with an atomic pointer, set when all is ready.
//@ run: explore
//@ run(race): explore --check race
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
  int port;
};

static struct config *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get_config(void) {
  struct config *config = instance;
  if (config == NULL) {
    pthread_mutex_lock(&lock);
    config = instance;
    if (config == NULL) {
      config = malloc(sizeof *config);
      config->port = 80;
      instance = config;
    }
    pthread_mutex_unlock(&lock);
  }
  return config;
}

static void *serve(void *unused) {
  (void)unused;
  assert(get_config()->port == 80);
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
