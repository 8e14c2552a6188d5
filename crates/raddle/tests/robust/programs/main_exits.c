/* The main thread ends before the others. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile int x;
static void *work(void *p) {
  for (int i = 0; i < 5000; i++) x++;
  usleep(3000);
  puts("last");
  return p;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) {
    pthread_create(&t, 0, work, 0);
    pthread_detach(t);
  }
  x++;
  pthread_exit(0);
}
