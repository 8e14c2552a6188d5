// One post too many lets two threads into the section.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t one;
static atomic_int inside;

static void *enter(void *unused) {
  (void)unused;
  sem_wait(&one);
  inside++;
  assert(inside == 1); //~ assertion
  inside--;
  sem_post(&one);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  sem_init(&one, 0, 1);
  pthread_create(&first, NULL, enter, NULL);
  pthread_create(&second, NULL, enter, NULL);
  sem_post(&one);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
