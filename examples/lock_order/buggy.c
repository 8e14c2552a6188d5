// The stock of a shop with several warehouses. Goods are moved between them.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct warehouse {
  pthread_mutex_t lock;
  int stock;
};

static struct warehouse north = {PTHREAD_MUTEX_INITIALIZER, 10};
static struct warehouse south = {PTHREAD_MUTEX_INITIALIZER, 10};

static void move(struct warehouse *from, struct warehouse *to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  if (from->stock >= amount) {
    from->stock -= amount;
    to->stock += amount;
  }
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void *southbound(void *unused) {
  (void)unused;
  move(&north, &south, 3);
  return NULL;
}

static void *northbound(void *unused) {
  (void)unused;
  move(&south, &north, 5);
  return NULL;
}

int main(void) {
  pthread_t trucks[2];
  pthread_create(&trucks[0], NULL, southbound, NULL);
  pthread_create(&trucks[1], NULL, northbound, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(trucks[i], NULL);
  assert(north.stock + south.stock == 20);
  return 0;
}
