// Two functions are meant to be indivisible. `deposit` is not: it gives the lock back in between. `balance_of` reads once.
//@ run: predict --simulate --no-run --check atomicity
//@ verdict: violations
//@ kind: atomicity
//@ exit: 1

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

__attribute__((annotate("raddle.atomic"))) static int balance_of(void) {
  pthread_mutex_lock(&mutex);
  int amount = balance;
  pthread_mutex_unlock(&mutex);
  return amount;
}

__attribute__((annotate("raddle.atomic"))) static void deposit(int amount) {
  int before = balance_of(); // the first access
  pthread_mutex_lock(&mutex);
  balance = before + amount;
  pthread_mutex_unlock(&mutex);
}

static void *customer(void *argument) {
  deposit((int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, customer, (void *)10);
  pthread_create(&second, NULL, customer, (void *)20);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return balance_of() == 0;
}
