#include <pthread.h>
#include <stdlib.h>

struct session {
  pthread_mutex_t lock;
  int finished;
};

static void *serve(void *argument) {
  struct session *session = argument;
  pthread_mutex_lock(&session->lock);
  session->finished = 1;
  pthread_mutex_unlock(&session->lock);
  return NULL;
}

int main(void) {
  pthread_t server;
  struct session *session = malloc(sizeof *session);
  pthread_mutex_init(&session->lock, NULL);
  session->finished = 0;
  pthread_create(&server, NULL, serve, session);
  if (session->finished)
    free(session);
  pthread_join(server, NULL);
  return 0;
}
