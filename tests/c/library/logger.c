// A function of the program that prints with `vfprintf`, called by two threads. Only one of the counters is behind the lock.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines, printed;

static void print(const char *format, ...) {
  va_list arguments;
  pthread_mutex_lock(&lock);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  lines++;
  pthread_mutex_unlock(&lock);
  printed++;
}

static void *work(void *name) {
  print("%s has done %d of %ld\n", (const char *)name, 1, 2L);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, "first");
  pthread_create(&second, NULL, work, "second");
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(lines == 2);
  assert(printed == 2); //~ assertion
  return 0;
}
