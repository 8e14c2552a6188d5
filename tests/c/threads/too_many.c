// More threads at a time than --max-threads allows: that is not "safe".
//@ run: explore --max-threads 2
//@ verdict: unknown
//@ exit: 3
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
