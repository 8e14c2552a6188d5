// Ends in the way and place that the arguments say.
#include <pthread.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <atomic>
static volatile int x;
static const char *how;
static pthread_key_t key;
static void end() {
  if (!strcmp(how, "exit")) exit(3);
  if (!strcmp(how, "_exit")) _exit(4);
  if (!strcmp(how, "quick")) quick_exit(5);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "crash")) *(volatile int *)8 = 1;
  if (!strcmp(how, "throw")) throw 5;
}
struct L { int n; L() : n(0) {} ~L() { x++; if (n == 7) end(); } };
static thread_local L local;
struct S { ~S() { x++; std::puts("static gone"); std::fflush(stdout);} } s;
static void destroy(void *) {
  x++;
  end();
}
static void *busy(void *p) {
  for (;;) {
    x++;
    usleep(50);
  }
  return p;
}
static void *work(void *p) {
  const char *where = (const char *)p;
  if (!strcmp(where, "thread")) end();
  if (!strcmp(where, "key")) pthread_setspecific(key, (const void *)&x);
  if (!strcmp(where, "local")) local.n = 7;
  return p;
}
int main(int, char **v) {
  how = v[1];
  at_quick_exit([] { x++; std::puts("quick"); std::fflush(stdout); });
  atexit([] { x++; std::puts("atexit"); std::fflush(stdout);});
  pthread_key_create(&key, destroy);
  pthread_t t, b;
  pthread_create(&b, 0, busy, 0);
  if (!strcmp(v[2], "main")) end();
  pthread_create(&t, 0, work, v[2]);
  pthread_join(t, 0);
  sleep(1);
  return 9;
}
