/* Threads load and unload a library. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static volatile int x;
static const char *lib;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&m);
    void *h = dlopen(lib, RTLD_NOW);
    if (!h) {
      puts(dlerror());
      return 0;
    }
    int (*bump)(int) = (int (*)(int))dlsym(h, "bump");
    x += bump(1);
    dlclose(h);
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(int c, char **v) {
  lib = v[1];
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  printf("%d\n", x);
}
