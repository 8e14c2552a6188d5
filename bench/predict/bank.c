// The bank example (Farchi, Nir and Ur, IPDPS 2003): TELLERS threads move money between accounts. Every access to a balance is
// under the locks of the bank and of its account, but a balance is read and written in two sections: the bug (av). Repaired
// by half with REPAIRED=1 (sav): who takes money from an account keeps it busy, and who puts money into it writes when it is not.
// Repaired with REPAIRED=2 (nav): who puts money into it keeps it busy, too.
#include <pthread.h>

#ifndef TELLERS
#define TELLERS 2
#endif
#ifndef REPAIRED
#define REPAIRED 0
#endif
#define TRANSACTION __attribute__((annotate("raddle.atomic")))

static pthread_mutex_t bank = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t account[TELLERS];
static int balance[TELLERS];

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static int busy[TELLERS];

static void enter(int number) {
  pthread_mutex_lock(&guard);
  while (busy[number])
    pthread_cond_wait(&idle, &guard);
  busy[number] = 1;
  pthread_mutex_unlock(&guard);
}

static void leave(int number) {
  pthread_mutex_lock(&guard);
  busy[number] = 0;
  pthread_cond_broadcast(&idle);
  pthread_mutex_unlock(&guard);
}

static int read_balance(int number) {
  pthread_mutex_lock(&bank);
  pthread_mutex_lock(&account[number]);
  int amount = balance[number];
  pthread_mutex_unlock(&account[number]);
  pthread_mutex_unlock(&bank);
  return amount;
}

static void write_balance(int number, int amount) {
  pthread_mutex_lock(&bank);
  pthread_mutex_lock(&account[number]);
  balance[number] = amount;
  pthread_mutex_unlock(&account[number]);
  pthread_mutex_unlock(&bank);
}

TRANSACTION static void withdraw(int number, int amount) {
  int before = read_balance(number);
  write_balance(number, before - amount);
}

TRANSACTION static void deposit(int number, int amount) {
  int before = read_balance(number);
#if REPAIRED == 1
  pthread_mutex_lock(&guard);
  while (busy[number])
    pthread_cond_wait(&idle, &guard);
#endif
  write_balance(number, before + amount);
#if REPAIRED == 1
  pthread_mutex_unlock(&guard);
#endif
}

static void *teller(void *argument) {
  int from = (int)(long)argument, to = (from + 1) % TELLERS;
#if REPAIRED >= 1
  enter(from);
#endif
  withdraw(from, 10);
#if REPAIRED >= 1
  leave(from);
#endif
#if REPAIRED == 2
  enter(to);
#endif
  deposit(to, 10);
#if REPAIRED == 2
  leave(to);
#endif
  return NULL;
}

int main(void) {
  pthread_t threads[TELLERS];
  for (int number = 0; number < TELLERS; number++) {
    pthread_mutex_init(&account[number], NULL);
    balance[number] = 100;
  }
  for (long number = 0; number < TELLERS; number++)
    pthread_create(&threads[number], NULL, teller, (void *)number);
  for (int number = 0; number < TELLERS; number++)
    pthread_join(threads[number], NULL);
  return 0;
}
