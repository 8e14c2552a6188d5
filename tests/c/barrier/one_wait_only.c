// The second barrier of each phase is missing: a thread can be a phase ahead.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int phase[2];

static void *work(void *argument) {
  long me = (long)argument;
  for (int i = 1; i <= 2; i++) {
    phase[me] = i;
    pthread_barrier_wait(&barrier);
    assert(phase[1 - me] == i); //~ assertion
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
