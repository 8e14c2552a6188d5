// The builtins of GCC, old and new.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static int counter, flag;

static void *count(void *unused) {
  (void)unused;
  __sync_fetch_and_add(&counter, 1);
  __atomic_add_fetch(&counter, 1, __ATOMIC_SEQ_CST);
  __sync_bool_compare_and_swap(&flag, 0, 7);
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, count, NULL);
  count(NULL);
  pthread_join(other, NULL);
  assert(counter == 4 && flag == 7);
  return 0;
}
