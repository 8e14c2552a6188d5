// Check and withdrawal under one lock.
//@ run: explore
//@ run(race): explore --check race
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static int balance = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *withdraw(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (balance >= 70)
    balance -= 70;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t alice, bob;
  pthread_create(&alice, NULL, withdraw, NULL);
  pthread_create(&bob, NULL, withdraw, NULL);
  pthread_join(alice, NULL);
  pthread_join(bob, NULL);
  assert(balance == 30);
  return 0;
}
