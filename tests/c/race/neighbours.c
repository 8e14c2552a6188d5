// Different fields and different elements are different memory.
//@ run: explore --check race
//@ verdict: safe
//@ exit: 0
#include <pthread.h>

struct pair {
  char first, second;
};

static struct pair pair;
static char letters[2];

static void *work(void *unused) {
  (void)unused;
  pair.first = 1;
  letters[0] = 'a';
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  pair.second = 2;
  letters[1] = 'b';
  pthread_join(other, NULL);
  return 0;
}
