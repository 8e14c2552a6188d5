// A cache of exchange rates: many threads look rates up, one brings them up to date.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { CURRENCIES = 2 };

static struct {
  pthread_rwlock_t lock;
  int rates[CURRENCIES];
  atomic_int lookups; // for the statistics page; readers count, too
} cache = {.lock = PTHREAD_RWLOCK_INITIALIZER, .rates = {108, 85}};

static int rate_of(int currency) {
  pthread_rwlock_rdlock(&cache.lock);
  int rate = cache.rates[currency];
  cache.lookups++;
  pthread_rwlock_unlock(&cache.lock);
  return rate;
}

static void set_rate(int currency, int rate) {
  pthread_rwlock_wrlock(&cache.lock);
  cache.rates[currency] = rate;
  pthread_rwlock_unlock(&cache.lock);
}

static int lookups(void) {
  pthread_rwlock_rdlock(&cache.lock);
  int result = cache.lookups;
  pthread_rwlock_unlock(&cache.lock);
  return result;
}

static void *serve_page(void *unused) {
  (void)unused;
  assert(rate_of(0) > 0);
  return NULL;
}

static void *update(void *unused) {
  (void)unused;
  set_rate(0, 109);
  return NULL;
}

int main(void) {
  pthread_t first, second, updater;
  pthread_create(&first, NULL, serve_page, NULL);
  pthread_create(&second, NULL, serve_page, NULL);
  pthread_create(&updater, NULL, update, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_join(updater, NULL);
  assert(lookups() == 2);
  return 0;
}
