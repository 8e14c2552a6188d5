/* May not have more than a few threads. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
static volatile int x;
static void *work(void *p) {
  x++;
  usleep(20000);
  return p;
}
int main(void) {
  setgid(65534);
  setuid(12345);
  struct rlimit r = {6, 6};
  setrlimit(RLIMIT_NPROC, &r);
  pthread_t t[20];
  int made = 0, err = 0;
  for (; made < 20; made++) if ((err = pthread_create(&t[made], 0, work, 0))) break;
  for (int i = 0; i < made; i++) pthread_join(t[i], 0);
  printf("%d %d\n", err == EAGAIN, made < 10);
  return 0;
}
