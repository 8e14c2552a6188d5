/* A thread that is not the main one becomes another program. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile int x;
static void *busy(void *p) {
  for (;;) {
    x++;
    usleep(50);
  }
  return p;
}
static void *ex(void *p) {
  usleep(2000);
  execl("/bin/echo", "echo", "became", (char *)0);
  return p;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, busy, 0);
  pthread_create(&t[1], 0, busy, 0);
  pthread_create(&t[2], 0, ex, 0);
  pthread_join(t[2], 0);
  return 1;
}
