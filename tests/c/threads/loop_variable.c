// Every thread gets the address of the loop variable, which has changed when it looks.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

static int seen[2];

static void *work(void *argument) {
  int number = *(int *)argument;
  if (number < 2)
    seen[number] = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int i;
  for (i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, &i);
  for (int j = 0; j < 2; j++)
    pthread_join(threads[j], NULL);
  assert(seen[0] && seen[1]); //~ assertion
  return 0;
}
