// Three philosophers; the last one takes the forks in the other order.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <pthread.h>

#define N 3

static pthread_mutex_t forks[N];

static void *dine(void *argument) {
  long i = (long)argument;
  long first = i < N - 1 ? i : 0;
  long second = i < N - 1 ? i + 1 : N - 1;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
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
