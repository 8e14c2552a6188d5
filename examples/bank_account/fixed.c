// A bank account that two cash machines use at the same time.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};

static int account_balance(struct account *account) {
  pthread_mutex_lock(&account->lock);
  int balance = account->balance;
  pthread_mutex_unlock(&account->lock);
  return balance;
}

// Pays out if there is enough money: looks and pays while it holds the lock.
static bool withdraw(struct account *account, int amount) {
  pthread_mutex_lock(&account->lock);
  bool enough = account->balance >= amount;
  if (enough)
    account->balance -= amount;
  pthread_mutex_unlock(&account->lock);
  return enough;
}

static void *cash_machine(void *unused) {
  (void)unused;
  assert(withdraw(&savings, 30));
  return NULL;
}

int main(void) {
  pthread_t station, airport;
  pthread_create(&station, NULL, cash_machine, NULL);
  pthread_create(&airport, NULL, cash_machine, NULL);
  pthread_join(station, NULL);
  pthread_join(airport, NULL);
  assert(account_balance(&savings) == 40);
  return 0;
}
