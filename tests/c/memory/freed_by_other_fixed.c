// The message is freed after the other thread has completed.
//@ run: explore
//@ run(race): explore --check race,memory
//@ verdict: safe
//@ exit: 0
#include <pthread.h>
#include <stdlib.h>

struct message {
  int length;
};

static int bytes;

static void *send(void *argument) {
  struct message *message = argument;
  bytes += message->length;
  return NULL;
}

int main(void) {
  pthread_t sender;
  struct message *message = malloc(sizeof *message);
  message->length = 3;
  pthread_create(&sender, NULL, send, message);
  pthread_join(sender, NULL);
  free(message);
  return 0;
}
