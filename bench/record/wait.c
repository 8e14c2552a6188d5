/* Threads that mostly wait: one gives work every now and then, and the others wait for it. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define WORKERS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, done, over;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  for (;;) {
    while (waiting == 0 && !over)
      pthread_cond_wait(&changed, &mutex);
    if (waiting == 0)
      break;
    waiting--;
    pthread_mutex_unlock(&mutex);
    int sum = 0;
    for (int i = 0; i < 1000; i++)
      sum += i;
    pthread_mutex_lock(&mutex);
    done += sum == 499500;
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < ROUNDS; i++) {
    usleep(1000);
    pthread_mutex_lock(&mutex);
    waiting += WORKERS;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_lock(&mutex);
  over = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n", done);
  return 0;
}
