// The account with the lower number is locked first.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
  int number;
  pthread_mutex_t lock;
  int balance;
};

struct transfer {
  struct account *from, *to;
};

static struct account *open_account(int number, int balance) {
  struct account *account = malloc(sizeof *account);
  account->number = number;
  pthread_mutex_init(&account->lock, NULL);
  account->balance = balance;
  return account;
}

static void *run(void *argument) {
  struct transfer *transfer = argument;
  struct account *from = transfer->from, *to = transfer->to;
  struct account *first = from->number < to->number ? from : to;
  struct account *second = from->number < to->number ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  from->balance -= 10;
  to->balance += 10;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
  return NULL;
}

int main(void) {
  struct account *a = open_account(1, 100), *b = open_account(2, 100);
  struct transfer there = {a, b}, back = {b, a};
  pthread_t first, second;
  pthread_create(&first, NULL, run, &there);
  pthread_create(&second, NULL, run, &back);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(a->balance == 100 && b->balance == 100);
  return 0;
}
