// No order of the events makes an assertion fail, though both threads write what it reads.
//@ run: predict --simulate --no-run --check assertion
//@ verdict: none

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tickets;

static void *sell(void *arg) {
  pthread_mutex_lock(&lock);
  int seen = tickets;
  tickets = seen + 1;
  assert(tickets <= 2);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, sell, NULL);
  pthread_create(&second, NULL, sell, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(tickets == 2);
}
