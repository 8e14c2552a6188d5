/* A thread begins when there is no more memory to map for its events. */
#include "abi.h"
#include <sys/resource.h>
static volatile long x;
static _Alignas(4096) char stack[1 << 18];
static void *work(void *unused) {
  ENTER;
  for (int i = 0; i < 100; i++) WRITE(x, READ(x) + 1);
  LEAVE;
  return unused;
}
int main(void) {
  ENTER;
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, sizeof stack);
  /* The C library has what it needs. */
  void *volatile memory = malloc(100000);
  free(memory);
  struct rlimit limit = {1, 1};
  setrlimit(RLIMIT_AS, &limit);
  if (__raddle_pthread_create(SITE, &thread, &attributes, work, NULL)) return 2;
  __raddle_pthread_join(SITE, thread, NULL);
  int right = x == 100;
  LEAVE;
  return right ? 0 : 1;
}
