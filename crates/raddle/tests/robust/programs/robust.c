/* A mutex whose owner dies, in this process and in another one. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
struct S { pthread_mutex_t m; pthread_cond_t c; int n; pthread_barrier_t b; };
static pthread_mutex_t r;
static void *dies(void *p) {
  pthread_mutex_lock(&r);
  return p;
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&r, &a);
  pthread_t t;
  pthread_create(&t, 0, dies, 0);
  pthread_join(t, 0);
  int e = pthread_mutex_lock(&r);
  pthread_mutex_consistent(&r);
  pthread_mutex_unlock(&r);
  printf("owner died: %d\n", e == EOWNERDEAD);
  fflush(stdout);
  struct S *s = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_setpshared(&a, 1);
  pthread_mutex_init(&s->m, &a);
  pthread_condattr_t ca;
  pthread_condattr_init(&ca);
  pthread_condattr_setpshared(&ca, 1);
  pthread_cond_init(&s->c, &ca);
  pid_t p = fork();
  if (p == 0) {
    for (int i = 0; i < 1000; i++) {
      pthread_mutex_lock(&s->m);
      s->n++;
      pthread_cond_signal(&s->c);
      pthread_mutex_unlock(&s->m);
    }
    pthread_mutex_lock(&s->m);
    _exit(0);
  }
  pthread_mutex_lock(&s->m);
  while (s->n < 1000) {
    int e = pthread_cond_wait(&s->c, &s->m);
    if (e == EOWNERDEAD) pthread_mutex_consistent(&s->m);
  }
  pthread_mutex_unlock(&s->m);
  waitpid(p, 0, 0);
  printf("%d\n", s->n);
  return 0;
}
