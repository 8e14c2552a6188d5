// Two locks, taken in different orders.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static pthread_mutex_t accounts = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;

static void *pay(void *unused) {
  (void)unused;
  pthread_mutex_lock(&accounts);
  pthread_mutex_lock(&journal); //~ deadlock
  pthread_mutex_unlock(&journal);
  pthread_mutex_unlock(&accounts);
  return NULL;
}

static void *audit(void *unused) {
  (void)unused;
  pthread_mutex_lock(&journal);
  pthread_mutex_lock(&accounts);
  pthread_mutex_unlock(&accounts);
  pthread_mutex_unlock(&journal);
  return NULL;
}

int main(void) {
  pthread_t payer, auditor;
  pthread_create(&payer, NULL, pay, NULL);
  pthread_create(&auditor, NULL, audit, NULL);
  pthread_join(payer, NULL);
  pthread_join(auditor, NULL);
  return 0;
}
