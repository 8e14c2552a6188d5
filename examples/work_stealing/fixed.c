// The queue of a worker in a thread pool. Its owner takes tasks from the bottom; idle workers steal from the top.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { TASKS = 2, NOTHING = -1 };

static atomic_int top;            // the next task to steal
static atomic_int bottom = TASKS; // one behind the next task to take
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int runs[TASKS];

static int take(void) {
  int task = NOTHING;
  pthread_mutex_lock(&lock);
  if (top < bottom)
    task = --bottom;
  pthread_mutex_unlock(&lock);
  return task;
}

static int steal(void) {
  int task = NOTHING;
  pthread_mutex_lock(&lock);
  if (top < bottom)
    task = top++;
  pthread_mutex_unlock(&lock);
  return task;
}

static void run(int task) { assert(runs[task]++ == 0); }

static void *owner(void *unused) {
  (void)unused;
  for (int task = take(); task != NOTHING; task = take())
    run(task);
  return NULL;
}

static void *thief(void *unused) {
  (void)unused;
  int task = steal();
  if (task != NOTHING)
    run(task);
  return NULL;
}

int main(void) {
  pthread_t workers[2];
  pthread_create(&workers[0], NULL, owner, NULL);
  pthread_create(&workers[1], NULL, thief, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(workers[i], NULL);
  for (int task = 0; task < TASKS; task++)
    assert(runs[task] == 1);
  return 0;
}
