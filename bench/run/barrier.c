/* The barrier benchmark of the safe-schedules paper: two threads pass values to each other, kept apart by barriers. */
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int cells[2];
static pthread_barrier_t written, read_;

static void *pass(void *argument) {
  int me = argument != NULL;
  for (;;) {
    cells[me] = me;
    pthread_barrier_wait(&written);
    assert(cells[1 - me] == 1 - me);
    pthread_barrier_wait(&read_);
    raddle_progress();
  }
  return NULL;
}

int main(void) {
  pthread_t one, other;
  pthread_barrier_init(&written, NULL, 2);
  pthread_barrier_init(&read_, NULL, 2);
  pthread_create(&one, NULL, pass, NULL);
  pthread_create(&other, NULL, pass, &cells);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
