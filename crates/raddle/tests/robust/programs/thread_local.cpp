// Destructors of thread-local and thread-specific data.
#include <pthread.h>
#include <thread>
#include <cstdio>
#include <atomic>
#include <unistd.h>
static std::atomic<int> gone;
static int plain;
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct Local { int n = 0; ~Local() { gone += 1; pthread_mutex_lock(&m); plain += n; pthread_mutex_unlock(&m); } };
static thread_local Local local;
static void destroy(void *p) {
  pthread_mutex_lock(&m);
  plain += *(int *)p;
  pthread_mutex_unlock(&m);
  delete (int *)p;
  gone++;
}
static void *work(void *p) {
  local.n = 3;
  pthread_setspecific(key, new int(10));
  return p;
}
int main() {
  pthread_key_create(&key, destroy);
  pthread_t t[8];
  for (auto &x : t) pthread_create(&x, 0, work, 0);
  for (auto &x : t) pthread_join(x, 0);
  std::thread s([] { local.n = 5; });
  s.join();
  for (int i = 0; i < 4; i++) {
    pthread_t d;
    pthread_create(&d, 0, work, 0);
    pthread_detach(d);
  }
  while (gone < 8 * 2 + 1 + 4 * 2) usleep(100);
  local.n = 100;
  std::printf("%d %d\n", gone.load(), plain);
}
