// An index leaves an array inside of a struct, and comes to the field behind it.
//@ run: explore
//@ verdict: unsafe
//@ kind: memory
//@ exit: 1

#include <pthread.h>
#include <stddef.h>

static struct {
  int slots[3];
  int next;
} ring;

static void *put(void *arg) {
  int at = ring.next;
  ring.next = at + 1;
  ring.slots[at] = 7;
  return arg;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, put, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
}
