// Two locks, always taken in the same order.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <pthread.h>

static pthread_mutex_t accounts = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  (void)unused;
  pthread_mutex_lock(&accounts);
  pthread_mutex_lock(&journal);
  pthread_mutex_unlock(&journal);
  pthread_mutex_unlock(&accounts);
  return NULL;
}

int main(void) {
  pthread_t payer, auditor;
  pthread_create(&payer, NULL, work, NULL);
  pthread_create(&auditor, NULL, work, NULL);
  pthread_join(payer, NULL);
  pthread_join(auditor, NULL);
  return 0;
}
