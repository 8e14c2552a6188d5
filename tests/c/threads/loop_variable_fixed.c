// Every thread gets a number of its own.
//@ run: explore
//@ run(race): explore --check race
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

static int seen[2];

static void *work(void *argument) {
  int number = *(int *)argument;
  seen[number] = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2];
  for (int i = 0; i < 2; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (int j = 0; j < 2; j++)
    pthread_join(threads[j], NULL);
  assert(seen[0] && seen[1]);
  return 0;
}
