/* The ways in which a process can end; the argument says which. */
#include "abi.h"
static volatile int x;
static const char *how;
static int is(const char *what) { return strcmp(how, what) == 0; }
static void at_exit(void) {
  ENTER;
  WRITE(x, 77);
  LEAVE;
}
static void own_handler(int signal) {
  ENTER;
  WRITE(x, signal);
  LEAVE;
  _exit(5);
}
static void finish(void) {
  if (is("exit")) __raddle_exit(SITE, 3);
  if (is("_exit")) __raddle__exit(SITE, 4);
  if (is("abort")) __raddle_abort(SITE);
  if (is("assert")) __raddle___assert_fail(SITE, "x == 2", "ends.c", 12, "finish");
  if (is("segv") || is("handled")) *(volatile int *)8 = 1;
  if (is("raise")) CALL(raise(SIGFPE));
  if (is("term")) CALL(raise(SIGTERM));
  if (is("assume")) __raddle___VERIFIER_assume(SITE, 0);
}
static void *other(void *unused) {
  ENTER;
  WRITE(x, 2);
  finish();
  LEAVE;
  return unused;
}
int main(int argc, char **argv) {
  ENTER;
  how = argv[1];
  atexit(at_exit);
  if (is("handled")) signal(SIGSEGV, own_handler);
  WRITE(x, 1);
  pthread_t thread;
  __raddle_pthread_create(SITE, &thread, NULL, other, NULL);
  __raddle_pthread_join(SITE, thread, NULL);
  LEAVE;
  return 9;
}
