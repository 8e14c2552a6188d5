/* Records some 11 MB. */
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
static volatile int x;
static void *work(void *p) {
  for (int i = 0; i < 400000; i++) x += (x ^ i) * 7;
  return p;
}
int main(void) {
#ifdef LIMIT
  struct rlimit limit = {3 << 20, 3 << 20};
  setrlimit(RLIMIT_FSIZE, &limit);
#endif
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  puts("through");
  return 3;
}
