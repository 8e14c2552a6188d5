// The settings of a server. They are read from disk when somebody asks for them first; after that, no lock is needed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
  int port;
  int most_clients;
};

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct settings *) settings;

static void load(struct settings *target) {
  target->port = 8080;
  target->most_clients = 64;
}

static const struct settings *get_settings(void) {
  if (settings == NULL) {
    pthread_mutex_lock(&loading);
    if (settings == NULL) {
      struct settings *fresh = calloc(1, sizeof *fresh);
      load(fresh);
      settings = fresh;
    }
    pthread_mutex_unlock(&loading);
  }
  return settings;
}

static void *listener(void *unused) {
  (void)unused;
  assert(get_settings()->port == 8080);
  return NULL;
}

static void *acceptor(void *unused) {
  (void)unused;
  assert(get_settings()->most_clients == 64);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, listener, NULL);
  pthread_create(&threads[1], NULL, acceptor, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  free(settings);
  return 0;
}
