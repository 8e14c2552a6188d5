/* Never ends. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
  for (int i = 0;; i++) {
    pthread_mutex_lock(&m);
    x += (x ^ i) * 7;
    pthread_mutex_unlock(&m);
    if (i % 1000 == 0) usleep(1);
  }
  return p;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 3;
}
