// A recursive mutex may be taken again by its holder, and is free after as many unlocks.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int depth;

static void visit(int levels) {
  pthread_mutex_lock(&lock);
  depth++;
  if (levels > 0)
    visit(levels - 1);
  depth--;
  pthread_mutex_unlock(&lock);
}

static void *walk(void *unused) {
  (void)unused;
  visit(2);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_t other;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
  pthread_create(&other, NULL, walk, NULL);
  visit(1);
  pthread_join(other, NULL);
  assert(depth == 0);
  return 0;
}
