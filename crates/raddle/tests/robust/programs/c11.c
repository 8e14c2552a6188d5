/* Threads, mutexes and thread-specific data of C11. */
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int n;
static tss_t k;
static atomic_int gone;
static once_flag o = ONCE_FLAG_INIT;
static thread_local int mine;
static int sum;
static void once(void) {
  n = 0;
  mtx_init(&m, mtx_plain | mtx_timed | mtx_recursive);
  cnd_init(&c);
}
static void dtor(void *p) {
  gone++;
}
static int work(void *p) {
  call_once(&o, once);
  tss_set(k, &n);
  mine = 5;
  mtx_lock(&m);
  n++;
  cnd_broadcast(&c);
  while (n < 4) cnd_wait(&c, &m);
  sum += mine;
  mtx_unlock(&m);
  if (n == -1) thrd_exit(1);
  thrd_exit(7);
}
int main(void) {
  tss_create(&k, dtor);
  thrd_t t[4];
  for (int i = 0; i < 4; i++) if (thrd_create(&t[i], work, 0) != thrd_success) return 1;
  int all = 0;
  for (int i = 0; i < 4; i++) {
    int r;
    thrd_join(t[i], &r);
    all += r;
  }
  printf("%d %d %d\n", all, sum, gone);
}
