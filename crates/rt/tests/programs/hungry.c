/* Asks for memory until there is none, goes on with what it has, and gives it back; then it does much more. */
#include "abi.h"
#include <sys/resource.h>
static volatile long x;
static void *work(void *unused) {
  ENTER;
  static char *pieces[1000];
  int got = 0;
  while (got < 1000) {
    char *piece = __raddle_malloc(SITE, 1 << 20);
    if (piece == NULL) break;
    pieces[got++] = piece;
    WRITE(*piece, (char)got);
  }
  for (int i = 0; i < 100000; i++) WRITE(x, READ(x) + i);
  for (int i = 0; i < got; i++) __raddle_free(SITE, pieces[i]);
  LEAVE;
  return got < 1000 ? unused : NULL;
}
int main(void) {
  ENTER;
  struct rlimit limit = {300 << 20, 300 << 20};
  if (setrlimit(RLIMIT_AS, &limit)) return 2;
  pthread_t threads[2];
  int failed = 0;
  for (int i = 0; i < 2; i++) {
    void *result = NULL;
    if (__raddle_pthread_create(SITE, &threads[i], NULL, work, &failed)) return 3;
    __raddle_pthread_join(SITE, threads[i], &result);
    failed += result == NULL;
  }
  LEAVE;
  return failed;
}
