/* Five hundred threads at a time. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int here, sum, go;
static void *work(void *p) {
  pthread_mutex_lock(&m);
  if (++here == 500) {
    go = 1;
    pthread_cond_broadcast(&c);
  }
  while (!go) pthread_cond_wait(&c, &m);
  sum += (int)(long)p;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t[500];
  for (long i = 0; i < 500; i++) if (pthread_create(&t[i], 0, work, (void *)i)) return 1;
  for (int i = 0; i < 500; i++) pthread_join(t[i], 0);
  printf("%d\n", sum);
}
