// A server runs for ever on purpose: it makes progress with every request.
//@ run(marked): live -DMARKED
//@ run(plain): live
//@ verdict(marked): none-within-bounds
//@ verdict(plain): non-terminating
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int request;

static void *serve(void *unused) {
  (void)unused;
  for (;;) {
    if (request) {
      request = 0;
#ifdef MARKED
      raddle_progress();
#endif
    }
  }
}

int main(void) {
  pthread_t server;
  pthread_create(&server, NULL, serve, NULL);
  for (;;) {
    if (!request)
      request = 1;
  }
}
