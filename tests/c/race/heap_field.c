// A field of an object on the heap.
//@ run: explore --check race
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <stdlib.h>

struct session {
  int id, requests;
};

static void *serve(void *argument) {
  struct session *session = argument;
  session->requests++; //~ data-race
  return NULL;
}

int main(void) {
  pthread_t first, second;
  struct session *session = malloc(sizeof *session);
  session->id = 1;
  session->requests = 0;
  pthread_create(&first, NULL, serve, session);
  pthread_create(&second, NULL, serve, session);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  free(session);
  return 0;
}
