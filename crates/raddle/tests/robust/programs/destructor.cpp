// A static destructor aborts; with an argument, that of a thread traps before.
#include <pthread.h>
#include <csignal>
#include <cstdlib>
static volatile int x;
struct L { int n = 0; ~L() { x++; if (n) __builtin_trap(); } };
static thread_local L l;
struct G { ~G() { x++; std::abort(); } };
static void *work(void *p) {
  l.n = p != nullptr;
  return p;
}
int main(int c, char **v) {
  static G g;
  pthread_t t;
  pthread_create(&t, 0, work, c > 1 ? &t : nullptr);
  pthread_join(t, 0);
  return 0;
}
