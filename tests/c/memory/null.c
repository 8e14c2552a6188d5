// The pointer is used before the other thread has set it.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <stddef.h>

struct settings {
  int level;
};

static struct settings defaults = {3};
static struct settings *settings;

static void *load(void *unused) {
  (void)unused;
  settings = &defaults;
  return NULL;
}

int main(void) {
  pthread_t loader;
  pthread_create(&loader, NULL, load, NULL);
  int level = settings->level; //~ memory
  pthread_join(loader, NULL);
  return level;
}
