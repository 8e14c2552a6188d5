// Detached threads are at all points of their ends when the process ends.
#include <pthread.h>
#include <cstdio>
#include <unistd.h>
#include <thread>
static int plain;
static pthread_key_t key;
struct Local { int n = 0; ~Local() { for (int i = 0; i < 1000; i++) plain += n; } };
static thread_local Local local;
static void destroy(void *p) {
  for (int i = 0; i < 1000; i++) plain += *(int *)p;
  usleep(10);
  delete (int *)p;
}
static void *work(void *p) {
  local.n = 3;
  pthread_setspecific(key, new int(10));
  usleep((long)p * 37 % 1000);
  return p;
}
int main() {
  pthread_key_create(&key, destroy);
  for (long i = 0; i < 100; i++) {
    pthread_t d;
    pthread_create(&d, 0, work, (void *)i);
    pthread_detach(d);
  }
  usleep(700);
  std::puts("done");
  return 5;
}
