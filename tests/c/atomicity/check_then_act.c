// The balance is read under the lock, but the decision and the withdrawal are not one section: both threads can take the
// same money.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static int balance = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get_balance(void) {
  pthread_mutex_lock(&lock);
  int amount = balance;
  pthread_mutex_unlock(&lock);
  return amount;
}

static void *withdraw(void *unused) {
  (void)unused;
  if (get_balance() >= 70) {
    pthread_mutex_lock(&lock);
    balance -= 70;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t alice, bob;
  pthread_create(&alice, NULL, withdraw, NULL);
  pthread_create(&bob, NULL, withdraw, NULL);
  pthread_join(alice, NULL);
  pthread_join(bob, NULL);
  assert(balance >= 0); //~ assertion
  return 0;
}
