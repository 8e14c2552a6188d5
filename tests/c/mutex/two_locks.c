// Each thread has its own lock for the same counter.
//@ run(plain): explore
//@ run(race): explore --check race
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

struct worker {
  pthread_mutex_t lock;
  int *total;
};

static int total;

static void *work(void *argument) {
  struct worker *self = argument;
  pthread_mutex_lock(&self->lock);
  *self->total += 1; //~(race) data-race
  pthread_mutex_unlock(&self->lock);
  return NULL;
}

int main(void) {
  struct worker workers[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&workers[i].lock, NULL);
    workers[i].total = &total;
    pthread_create(&threads[i], NULL, work, &workers[i]);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(total == 2); //~(plain) assertion
  return 0;
}
