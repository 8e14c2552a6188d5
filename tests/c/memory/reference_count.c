// The count goes down in one step, and who brings it to zero frees the object.
//@ run: explore
//@ run(race): explore --check race,memory
//@ verdict: safe
//@ exit: 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  atomic_int references;
  int value;
};

static void *drop(void *argument) {
  struct object *object = argument;
  if (atomic_fetch_sub(&object->references, 1) == 1)
    free(object);
  return NULL;
}

int main(void) {
  pthread_t other;
  struct object *object = malloc(sizeof *object);
  atomic_init(&object->references, 2);
  pthread_create(&other, NULL, drop, object);
  drop(object);
  pthread_join(other, NULL);
  return 0;
}
