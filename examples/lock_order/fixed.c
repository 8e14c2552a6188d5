// The stock of a shop with several warehouses. Goods are moved between them.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct warehouse {
  int number; // locks are taken in the order of these
  pthread_mutex_t lock;
  int stock;
};

static struct warehouse north = {1, PTHREAD_MUTEX_INITIALIZER, 10};
static struct warehouse south = {2, PTHREAD_MUTEX_INITIALIZER, 10};

static void move(struct warehouse *from, struct warehouse *to, int amount) {
  struct warehouse *first = from->number < to->number ? from : to;
  struct warehouse *second = first == from ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  if (from->stock >= amount) {
    from->stock -= amount;
    to->stock += amount;
  }
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
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
