/* Closes files that it did not open. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include <fcntl.h>
static volatile int x;
static void *work(void *p) {
  for (int i = 0; i < 200000; i++) x += i ^ x;
  return p;
}
int main(void) {
  closefrom(3);
  int f[1];
  f[0] = open("/dev/null", O_RDONLY);
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  puts("ok");
  return 2;
}
