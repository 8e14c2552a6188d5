// Two bit-fields in one word are one piece of memory: to write one, both are written.
//@ run(race): explore --check race
//@ run(plain): explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static struct {
  unsigned open : 1;
  unsigned locked : 1;
} door;

static void *lock(void *unused) {
  (void)unused;
  door.locked = 1;
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, lock, NULL);
  door.open = 1; //~(race) data-race
  pthread_join(other, NULL);
  assert(door.open && door.locked); //~(plain) assertion
  return 0;
}
