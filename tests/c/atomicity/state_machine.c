// Two threads run one state machine; a transition can be taken twice.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <assert.h>
#include <pthread.h>

enum state { IDLE, CONNECTING, CONNECTED };

static enum state state = IDLE;
static int connections;

static void step(void) {
  switch (state) {
  case IDLE:
    state = CONNECTING;
    break;
  case CONNECTING:
    connections++;
    state = CONNECTED;
    break;
  case CONNECTED:
    break;
  }
}

static void *work(void *unused) {
  (void)unused;
  step();
  step();
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
  assert(connections <= 1); //~ assertion
  return 0;
}
