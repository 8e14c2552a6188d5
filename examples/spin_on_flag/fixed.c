// A service with a thread that polls a device until it is told to stop.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool stop_requested;
static atomic_bool stopped;

static void poll_device(void) { sched_yield(); }

static void *poller(void *unused) {
  (void)unused;
  while (!stop_requested)
    poll_device();
  stopped = true;
  return NULL;
}

static pthread_t service_start(void) {
  pthread_t thread;
  stop_requested = false;
  stopped = false;
  pthread_create(&thread, NULL, poller, NULL);
  return thread;
}

static void service_stop(pthread_t thread) {
  stop_requested = true;
  while (!stopped)
    sched_yield();
  pthread_join(thread, NULL);
}

int main(void) {
  pthread_t service = service_start();
  service_stop(service);
  return 0;
}
