// A barrier is used again and again: each thread sees what the other did in the phase before.
//@ run: explore
//@ run(race): explore --check race
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int phase[2];

static void *work(void *argument) {
  long me = (long)argument;
  for (int i = 1; i <= 2; i++) {
    phase[me] = i;
    pthread_barrier_wait(&barrier);
    assert(phase[1 - me] == i);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&other, NULL, work, (void *)1);
  work((void *)0);
  pthread_join(other, NULL);
  return 0;
}
