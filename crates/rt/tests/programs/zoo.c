/* One of each kind of synchronization. */
#include "abi.h"
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static mtx_t mtx;
static int turn, shared, done, waiting, go;
static void initialize(void) {
  ENTER;
  WRITE(done, READ(done) + 1);
  LEAVE;
}
/* One thread waits for sure: the other only goes on when it does. */
static void meet(int me) {
  __raddle_pthread_mutex_lock(SITE, &mutex);
  if (me == 0) {
    WRITE(waiting, 1);
    while (BRANCH(!READ(go))) __raddle_pthread_cond_wait(SITE, &cond, &mutex);
  } else {
    while (BRANCH(!READ(waiting))) {
      __raddle_pthread_mutex_unlock(SITE, &mutex);
      __raddle_sched_yield(SITE);
      __raddle_pthread_mutex_lock(SITE, &mutex);
    }
    WRITE(go, 1);
    __raddle_pthread_cond_signal(SITE, &cond);
  }
  __raddle_pthread_mutex_unlock(SITE, &mutex);
}
static void work(int me) {
  meet(me);
  for (int i = 0; i < 50; i++) {
    __raddle_pthread_mutex_lock(SITE, &mutex);
    while (BRANCH(READ(turn) != me)) __raddle_pthread_cond_wait(SITE, &cond, &mutex);
    WRITE(turn, 1 - me);
    __raddle_pthread_cond_broadcast(SITE, &cond);
    __raddle_pthread_mutex_unlock(SITE, &mutex);

    __raddle_pthread_rwlock_rdlock(SITE, &rwlock);
    READ(shared);
    __raddle_pthread_rwlock_unlock(SITE, &rwlock);
    __raddle_pthread_rwlock_wrlock(SITE, &rwlock);
    WRITE(shared, READ(shared) + 1);
    __raddle_pthread_rwlock_unlock(SITE, &rwlock);

    __raddle_pthread_spin_lock(SITE, &spin);
    WRITE(shared, READ(shared) + 1);
    CALL(sched_yield());
    __raddle_pthread_spin_unlock(SITE, &spin);

    __raddle_sem_wait(SITE, &semaphore);
    WRITE(shared, READ(shared) + 1);
    CALL(sched_yield());
    __raddle_sem_post(SITE, &semaphore);

    __raddle_mtx_lock(SITE, &mtx);
    WRITE(shared, READ(shared) + 1);
    __raddle_mtx_unlock(SITE, &mtx);
    __raddle_pthread_barrier_wait(SITE, &barrier);
    __raddle_pthread_once(SITE, &once, initialize);
  }
}
static void *posix(void *unused) {
  ENTER;
  work(0);
  LEAVE;
  return unused;
}
static int c11(void *unused) {
  ENTER;
  work(1);
  LEAVE;
  return 7;
}
int main(void) {
  ENTER;
  __raddle_pthread_spin_init(SITE, &spin, 0);
  __raddle_pthread_barrier_init(SITE, &barrier, NULL, 2);
  __raddle_sem_init(SITE, &semaphore, 0, 1);
  __raddle_mtx_init(SITE, &mtx, mtx_plain);
  int *memory = __raddle_malloc(SITE, sizeof *memory);
  memory = __raddle_realloc(SITE, memory, 100);
  WRITE(*memory, 1);
  pthread_t one;
  thrd_t two;
  int result = 0;
  __raddle_pthread_create(SITE, &one, NULL, posix, NULL);
  __raddle_thrd_create(SITE, &two, c11, NULL);
  __raddle_pthread_join(SITE, one, NULL);
  __raddle_thrd_join(SITE, two, &result);
  if (result != 7 || READ(done) != 1) return 2;
  /* `errno` is what the function left, and nothing else. */
  int value = 0;
  __raddle_sem_getvalue(SITE, &semaphore, &value);
  if (value != 1 || __raddle_sem_trywait(SITE, &semaphore) != 0) return 3;
  errno = 0;
  if (__raddle_sem_trywait(SITE, &semaphore) != -1 || errno != EAGAIN) return 4;
  struct timespec past = {0, 0};
  __raddle_pthread_mutex_lock(SITE, &mutex);
  if (__raddle_pthread_cond_timedwait(SITE, &cond, &mutex, &past) != ETIMEDOUT) return 5;
  if (__raddle_pthread_mutex_trylock(SITE, &mutex) != EBUSY) return 6;
  __raddle_pthread_mutex_unlock(SITE, &mutex);
  errno = 42;
  READ(shared);
  CALL((void)0);
  if (errno != 42) return 7;
  __raddle_raddle_atomic_begin(SITE);
  __raddle___VERIFIER_nondet_int(SITE);
  __raddle_raddle_atomic_end(SITE);
  __raddle_raddle_progress(SITE);
  __raddle_free(SITE, memory);
  LEAVE;
  return 0;
}
