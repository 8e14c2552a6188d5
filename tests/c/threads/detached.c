// A detached thread uses a local variable of the function that started it, which has returned.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>
#include <unistd.h>

static int logged;

static void *log_number(void *argument) {
  logged = *(int *)argument; //~ memory
  return NULL;
}

static void start_logging(int number) {
  pthread_t logger;
  pthread_create(&logger, NULL, log_number, &number);
  pthread_detach(logger);
}

int main(void) {
  start_logging(7);
  sleep(1);
  return 0;
}
