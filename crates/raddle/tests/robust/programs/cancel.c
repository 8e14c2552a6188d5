/* Threads are cancelled where they compute, sleep, wait and read. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include <semaphore.h>
static volatile int x, cleaned;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static void clean(void *p) {
  cleaned++;
}
static void *spin(void *p) {
  int o;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &o);
  for (;;) x++;
  return p;
}
static void *test(void *p) {
  pthread_cleanup_push(clean, 0);
  for (;;) {
    x++;
    pthread_testcancel();
  }
  pthread_cleanup_pop(0);
  return p;
}
static void *sleeps(void *p) {
  pthread_cleanup_push(clean, 0);
  for (;;) {
    x++;
    sleep(100);
  }
  pthread_cleanup_pop(0);
  return p;
}
static void *sems(void *p) {
  pthread_cleanup_push(clean, 0);
  for (;;) {
    x++;
    sem_wait(&s);
  }
  pthread_cleanup_pop(0);
  return p;
}
static void *reads(void *p) {
  int f[2];
  pipe(f);
  char b;
  pthread_cleanup_push(clean, 0);
  x++;
  read(f[0], &b, 1);
  pthread_cleanup_pop(0);
  return p;
}
int main(void) {
  void *(*f[])(void *) = {spin, test, sleeps, sems, reads};
  sem_init(&s, 0, 0);
  int c = 0;
  for (int r = 0; r < 3; r++) {
    pthread_t t[5];
    for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, f[i], 0);
    usleep(1000);
    for (int i = 0; i < 5; i++) pthread_cancel(t[i]);
    for (int i = 0; i < 5; i++) {
      void *r;
      pthread_join(t[i], &r);
      c += r == PTHREAD_CANCELED;
    }
  }
  printf("%d %d\n", c, cleaned == 12);
  return 0;
}
