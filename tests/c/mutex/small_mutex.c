// Preprocessed for a machine of 32 bits, a mutex is smaller than here: what comes after it is no part of it.
//@ run: explore
//@ verdict: safe
//@ exit: 0
typedef union {
  char size[24];
  int align;
} pthread_mutex_t;
typedef unsigned long pthread_t;
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void reach_error(void);

struct account {
  pthread_mutex_t lock;
  int balance;
  int changes;
};

static void *deposit(void *argument) {
  struct account *account = argument;
  pthread_mutex_lock(&account->lock);
  account->balance += 5;
  account->changes++;
  pthread_mutex_unlock(&account->lock);
  return 0;
}

int main(void) {
  struct account account;
  pthread_t first, second;
  pthread_mutex_init(&account.lock, 0);
  account.balance = 0;
  account.changes = 0;
  pthread_create(&first, 0, deposit, &account);
  pthread_create(&second, 0, deposit, &account);
  pthread_join(first, 0);
  pthread_join(second, 0);
  if (account.balance != 10 || account.changes != 2) reach_error();
  return 0;
}
