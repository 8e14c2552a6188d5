// A queue as it should be. Who waits for a condition variable lets others change what it has read: that is no violation of atomicity.
//@ run: predict --simulate --no-run
//@ verdict: none
#include <pthread.h>

#define SIZE 2

static int items[SIZE], count, head, tail, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t nonempty = PTHREAD_COND_INITIALIZER, nonfull = PTHREAD_COND_INITIALIZER;

static void put(int item) {
  pthread_mutex_lock(&lock);
  while (count == SIZE)
    pthread_cond_wait(&nonfull, &lock);
  items[tail] = item;
  tail = (tail + 1) % SIZE;
  count++;
  pthread_cond_signal(&nonempty);
  pthread_mutex_unlock(&lock);
}

static int get(void) {
  pthread_mutex_lock(&lock);
  while (count == 0)
    pthread_cond_wait(&nonempty, &lock);
  int item = items[head];
  head = (head + 1) % SIZE;
  count--;
  pthread_cond_signal(&nonfull);
  pthread_mutex_unlock(&lock);
  return item;
}

static void *consumer(void *arg) {
  for (int i = 0; i < 3; i++)
    sum += get();
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, consumer, NULL);
  for (int i = 0; i < 3; i++)
    put(i);
  pthread_join(thread, NULL);
  return 0;
}
