// A function that is not looked at: what it returns is arbitrary, and what it does is nobody's business.
//@ run: verify
//@ run: explore --int-range=0..1
#include <assert.h>
#include <pthread.h>

static int count, searched;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

unsigned raddle_outside_search(unsigned file) {
  unsigned found = 0;
  for (unsigned long at = 0; at < 1ul << 40; at++)
    found = found * 31 + file;
  return found;
}

int raddle_outside_size(int file);

static void *search(void *unused) {
  if (raddle_outside_size(1) != 0)
    raddle_outside_search(1);
  pthread_mutex_lock(&mutex);
  count += raddle_outside_search(2) == 1;
  searched++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, search, NULL);
  pthread_create(&other, NULL, search, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(searched == 2 && count >= 0 && count <= 2);
  return 0;
}
