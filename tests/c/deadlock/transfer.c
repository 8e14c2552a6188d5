// Accounts on the heap, each with its lock; two transfers in opposite directions.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <stdlib.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

struct transfer {
  struct account *from, *to;
};

static struct account *open_account(int balance) {
  struct account *account = malloc(sizeof *account);
  pthread_mutex_init(&account->lock, NULL);
  account->balance = balance;
  return account;
}

static void *run(void *argument) {
  struct transfer *transfer = argument;
  pthread_mutex_lock(&transfer->from->lock);
  pthread_mutex_lock(&transfer->to->lock); //~ deadlock
  transfer->from->balance -= 10;
  transfer->to->balance += 10;
  pthread_mutex_unlock(&transfer->to->lock);
  pthread_mutex_unlock(&transfer->from->lock);
  return NULL;
}

int main(void) {
  struct account *a = open_account(100), *b = open_account(100);
  struct transfer there = {a, b}, back = {b, a};
  pthread_t first, second;
  pthread_create(&first, NULL, run, &there);
  pthread_create(&second, NULL, run, &back);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
