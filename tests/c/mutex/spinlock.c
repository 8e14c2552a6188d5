// A spin lock of POSIX.
//@ run: explore
//@ run(race): explore --check race
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *count(void *unused) {
  (void)unused;
  pthread_spin_lock(&lock);
  counter++;
  pthread_spin_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(counter == 2);
  return 0;
}
