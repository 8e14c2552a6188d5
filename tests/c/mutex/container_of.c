// A thread gets a pointer to a part of a struct and finds the struct, with its lock, from there.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

#define container_of(pointer, type, member) \
  ((type *)((char *)(pointer) - (unsigned long)&((type *)0)->member))

struct device {
  int id;
};

struct driver {
  pthread_mutex_t lock;
  struct device device;
  int calls;
};

static void *callback(void *argument) {
  struct device *device = argument;
  struct driver *driver = container_of(device, struct driver, device);
  pthread_mutex_lock(&driver->lock);
  driver->calls += device->id;
  pthread_mutex_unlock(&driver->lock);
  return NULL;
}

int main(void) {
  struct driver driver = {.device = {2}, .calls = 0};
  pthread_t first, second;
  pthread_mutex_init(&driver.lock, NULL);
  pthread_create(&first, NULL, callback, &driver.device);
  pthread_create(&second, NULL, callback, &driver.device);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(driver.calls == 4);
  return 0;
}
