// The error path does not post.
//@ run: explore --int-range 0..1
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <semaphore.h>

extern int __VERIFIER_nondet_int(void);

static sem_t done;

static void *work(void *unused) {
  (void)unused;
  int error = __VERIFIER_nondet_int();
  if (error)
    return NULL;
  sem_post(&done);
  return NULL;
}

int main(void) {
  pthread_t worker;
  sem_init(&done, 0, 0);
  pthread_create(&worker, NULL, work, NULL);
  sem_wait(&done); //~ deadlock
  pthread_join(worker, NULL);
  return 0;
}
