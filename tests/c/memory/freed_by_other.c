// One thread still reads a message that the other one frees.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <stdlib.h>

struct message {
  int length;
};

static int bytes;

static void *send(void *argument) {
  struct message *message = argument;
  bytes += message->length; //~ memory
  return NULL;
}

int main(void) {
  pthread_t sender;
  struct message *message = malloc(sizeof *message);
  message->length = 3;
  pthread_create(&sender, NULL, send, message);
  free(message);
  pthread_join(sender, NULL);
  return 0;
}
