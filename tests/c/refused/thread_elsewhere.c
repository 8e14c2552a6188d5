// A thread that runs a function of which only the declaration is known.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <pthread.h>

void *elsewhere(void *argument);

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, elsewhere, NULL);
  pthread_join(worker, NULL);
  return 0;
}
