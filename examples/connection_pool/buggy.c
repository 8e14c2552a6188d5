// A pool of database connections. Whoever needs one and finds none idle waits until one is given back.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { POOL_SIZE = 1, CLIENTS = 3 };

struct connection {
  int in_use;
};

static struct connection connections[POOL_SIZE];

static struct {
  pthread_mutex_t lock;
  pthread_cond_t returned;
  struct connection *idle[POOL_SIZE];
  int idle_count;
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {&connections[0]}, POOL_SIZE};

static struct connection *pool_acquire(void) {
  pthread_mutex_lock(&pool.lock);
  if (pool.idle_count == 0)
    pthread_cond_wait(&pool.returned, &pool.lock);
  struct connection *connection = pool.idle[--pool.idle_count];
  pthread_mutex_unlock(&pool.lock);
  return connection;
}

static void pool_release(struct connection *connection) {
  pthread_mutex_lock(&pool.lock);
  pool.idle[pool.idle_count++] = connection;
  pthread_cond_signal(&pool.returned);
  pthread_mutex_unlock(&pool.lock);
}

static void *client(void *unused) {
  (void)unused;
  struct connection *connection = pool_acquire();
  assert(!connection->in_use);
  connection->in_use = 1;
  connection->in_use = 0;
  pool_release(connection);
  return NULL;
}

int main(void) {
  pthread_t clients[CLIENTS];
  for (int i = 0; i < CLIENTS; i++)
    pthread_create(&clients[i], NULL, client, NULL);
  for (int i = 0; i < CLIENTS; i++)
    pthread_join(clients[i], NULL);
  return 0;
}
