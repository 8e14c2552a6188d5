// A mutex that is held cannot be destroyed, whoever holds it.
//@ run: explore
//@ run: verify
//@ verdict: safe
//@ exit: 0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *other(void *unused) {
  assert(pthread_mutex_destroy(&plain) == EBUSY);
  assert(pthread_mutex_destroy(&recursive) == EBUSY);
  return unused;
}

int main(void) {
  pthread_mutex_lock(&plain);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&checked);
  assert(pthread_mutex_destroy(&plain) == EBUSY);
  assert(pthread_mutex_destroy(&recursive) == EBUSY);
  assert(pthread_mutex_destroy(&checked) == EBUSY);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_unlock(&plain);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&checked);
  assert(pthread_mutex_destroy(&plain) == 0);
  assert(pthread_mutex_destroy(&recursive) == 0);
  assert(pthread_mutex_destroy(&checked) == 0);
}
