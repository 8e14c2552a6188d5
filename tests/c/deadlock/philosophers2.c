// Two philosophers, forks in an array.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

#define N 2

static pthread_mutex_t forks[N];

static void *dine(void *argument) {
  long i = (long)argument;
  pthread_mutex_lock(&forks[i]);
  pthread_mutex_lock(&forks[(i + 1) % N]); //~ deadlock
  pthread_mutex_unlock(&forks[(i + 1) % N]);
  pthread_mutex_unlock(&forks[i]);
  return NULL;
}

int main(void) {
  pthread_t philosophers[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < N; i++)
    pthread_create(&philosophers[i], NULL, dine, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(philosophers[i], NULL);
  return 0;
}
