// A table of callbacks. One of them is taken out while it is called.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <stddef.h>

typedef void (*callback)(int);

static int last, total;
static void remember(int value) { last = value; }
static void add(int value) { total += value; }

static callback callbacks[2] = {remember, add};

static void notify(int value) {
  for (int i = 0; i < 2; i++)
    if (callbacks[i] != NULL)
      callbacks[i](value); //~ memory
}

static void *unregister(void *unused) {
  (void)unused;
  callbacks[1] = NULL;
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, unregister, NULL);
  notify(5);
  pthread_join(other, NULL);
  return 0;
}
