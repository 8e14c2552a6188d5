// A text that is formatted has too little room, unless an update is lost.
//@ run: explore
//@ verdict: unsafe
//@ kind: memory
//@ exit: 1

#include <pthread.h>
#include <stdio.h>

static int tickets = 98;
static char label[10];

static void *sell(void *arg) {
  tickets++;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, sell, NULL);
  pthread_create(&second, NULL, sell, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  sprintf(label, "ticket %d", tickets);
  return label[0] != 't';
}
