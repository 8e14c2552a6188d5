// A buffer of one place, two semaphores.
//@ run: explore
//@ run(race): explore --check race
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t empty, full;
static int buffer;

static void *produce(void *unused) {
  (void)unused;
  for (int i = 1; i <= 3; i++) {
    sem_wait(&empty);
    buffer = i;
    sem_post(&full);
  }
  return NULL;
}

int main(void) {
  pthread_t producer;
  sem_init(&empty, 0, 1);
  sem_init(&full, 0, 0);
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 1; i <= 3; i++) {
    sem_wait(&full);
    assert(buffer == i);
    sem_post(&empty);
  }
  pthread_join(producer, NULL);
  return 0;
}
