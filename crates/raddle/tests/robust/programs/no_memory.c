/* Comes to the end of its memory, so that no thread can be created. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/mman.h>
static volatile int x, refused, many;
static pthread_barrier_t b;
static void *work(void *p) {
  for (int i = 0; i < 100; i++) x++;
  return p;
}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;
static void *hold(void *p) {
  pthread_mutex_lock(&m);
  while (!go) pthread_cond_wait(&c, &m);
  x++;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  struct rlimit r;
  FILE *f = fopen("/proc/self/statm", "r");
  long pages;
  fscanf(f, "%ld", &pages);
  fclose(f);
  r.rlim_cur = pages * 4096 + (60l << 20);
  r.rlim_max = RLIM_INFINITY;
  setrlimit(RLIMIT_AS, &r);
  static void *volatile q;
  while ((q = malloc(1 << 20))) many++;
  int before = many;
  q = malloc(1 << 20);
  refused = q == 0;
  pthread_t t[64];
  int made = 0, err = 0;
  for (; made < 64; made++) {
    err = pthread_create(&t[made], 0, hold, 0);
    if (err) break;
  }
  pthread_mutex_lock(&m);
  go = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < made; i++) pthread_join(t[i], 0);
  printf("%d %d %d %d\n", before > 10, refused, made < 20, err == EAGAIN);
  return 0;
}
