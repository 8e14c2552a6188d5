// The repaired account: `deposit` keeps the lock. It leaves in two ways, and ends its thread in a third.
//@ run: predict --simulate --no-run --check atomicity
//@ verdict: none
//@ exit: 0

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

__attribute__((annotate("raddle.atomic"))) static int deposit(int amount) {
  if (amount < 0)
    pthread_exit(NULL);
  if (amount == 0)
    return 0;
  pthread_mutex_lock(&mutex);
  balance = balance + amount;
  pthread_mutex_unlock(&mutex);
  return 1;
}

static void *customer(void *argument) {
  int amount = (int)(long)argument;
  deposit(amount);
  // After the block, and before the next one.
  deposit(0);
  deposit(amount);
  deposit(-1);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, customer, (void *)10);
  pthread_create(&second, NULL, customer, (void *)20);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return balance != 60;
}
