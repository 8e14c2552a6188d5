/* What an instrumented program does, by hand: the functions of the run-time library, and macros that access memory and tell it. */
#ifndef ABI_H
#define ABI_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

extern volatile uint8_t __raddle_mode;
struct raddle_module {
  uint32_t version, sites;
  uint8_t hash[32];
  const char *name;
  uint32_t base;
};
void __raddle_module(struct raddle_module *);
void __raddle_read(uint32_t, volatile void *, uint64_t, uint32_t);
void __raddle_write(uint32_t, volatile void *, uint64_t, uint32_t);
void __raddle_update(uint32_t, volatile void *, uint64_t, uint64_t, uint32_t);
void __raddle_copy(uint32_t, void *, void *, uint64_t);
void __raddle_fill(uint32_t, void *, uint32_t, uint64_t);
void __raddle_branch(uint32_t, uint32_t);
uint32_t __raddle_enter(uint32_t);
void __raddle_leave(uint32_t, uint32_t);
void __raddle_call(uint32_t);
void __raddle_back(uint32_t, uint64_t);

int __raddle_pthread_create(uint32_t, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __raddle_pthread_join(uint32_t, pthread_t, void **);
int __raddle_pthread_detach(uint32_t, pthread_t);
void __raddle_pthread_exit(uint32_t, void *) __attribute__((noreturn));
int __raddle_pthread_mutex_lock(uint32_t, pthread_mutex_t *);
int __raddle_pthread_mutex_trylock(uint32_t, pthread_mutex_t *);
int __raddle_pthread_mutex_unlock(uint32_t, pthread_mutex_t *);
int __raddle_pthread_rwlock_rdlock(uint32_t, pthread_rwlock_t *);
int __raddle_pthread_rwlock_wrlock(uint32_t, pthread_rwlock_t *);
int __raddle_pthread_rwlock_unlock(uint32_t, pthread_rwlock_t *);
int __raddle_pthread_cond_wait(uint32_t, pthread_cond_t *, pthread_mutex_t *);
int __raddle_pthread_cond_timedwait(uint32_t, pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int __raddle_pthread_cond_signal(uint32_t, pthread_cond_t *);
int __raddle_pthread_cond_broadcast(uint32_t, pthread_cond_t *);
int __raddle_pthread_barrier_init(uint32_t, pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int __raddle_pthread_barrier_wait(uint32_t, pthread_barrier_t *);
int __raddle_pthread_spin_init(uint32_t, pthread_spinlock_t *, int);
int __raddle_pthread_spin_lock(uint32_t, pthread_spinlock_t *);
int __raddle_pthread_spin_unlock(uint32_t, pthread_spinlock_t *);
int __raddle_pthread_once(uint32_t, pthread_once_t *, void (*)(void));
int __raddle_sem_init(uint32_t, sem_t *, int, unsigned);
int __raddle_sem_wait(uint32_t, sem_t *);
int __raddle_sem_trywait(uint32_t, sem_t *);
int __raddle_sem_post(uint32_t, sem_t *);
int __raddle_sem_getvalue(uint32_t, sem_t *, int *);
int __raddle_thrd_create(uint32_t, thrd_t *, thrd_start_t, void *);
int __raddle_thrd_join(uint32_t, thrd_t, int *);
int __raddle_mtx_init(uint32_t, mtx_t *, int);
int __raddle_mtx_lock(uint32_t, mtx_t *);
int __raddle_mtx_unlock(uint32_t, mtx_t *);
int __raddle_sched_yield(uint32_t);
int __raddle_usleep(uint32_t, useconds_t);
void *__raddle_malloc(uint32_t, size_t);
void *__raddle_realloc(uint32_t, void *, size_t);
void __raddle_free(uint32_t, void *);
pid_t __raddle_fork(uint32_t);
void __raddle_exec(uint32_t);
void __raddle_exit(uint32_t, int) __attribute__((noreturn));
void __raddle__exit(uint32_t, int) __attribute__((noreturn));
void __raddle_abort(uint32_t) __attribute__((noreturn));
void __raddle___assert_fail(uint32_t, const char *, const char *, unsigned, const char *) __attribute__((noreturn));
void __raddle___VERIFIER_assume(uint32_t, int);
int __raddle___VERIFIER_nondet_int(uint32_t);
void __raddle_raddle_atomic_begin(uint32_t);
void __raddle_raddle_atomic_end(uint32_t);
void __raddle_raddle_progress(uint32_t);

#ifdef __cplusplus
}
#endif

static struct raddle_module raddle_this = {1, 1000000, {1, 2, 3}, __FILE__, 0};
static __attribute__((constructor(101), used)) void raddle_register(void) { __raddle_module(&raddle_this); }

#define SITE (raddle_this.base + __LINE__)
#define RECORDING __builtin_expect(__raddle_mode & 1, 0)

/* Accesses of memory. The access comes first and is then told. */
#define READ(x)                                                                                          \
  ({                                                                                                     \
    __typeof__(x) v_ = (x);                                                                              \
    if (RECORDING) __raddle_read(SITE, (volatile void *)&(x), (uint64_t)v_, sizeof(x));                  \
    v_;                                                                                                  \
  })
#define WRITE(x, value)                                                                                  \
  do {                                                                                                   \
    __typeof__(x) v_ = (value);                                                                          \
    (x) = v_;                                                                                            \
    if (RECORDING) __raddle_write(SITE, (volatile void *)&(x), (uint64_t)v_, sizeof(x));                 \
  } while (0)
#define ADD(x, n)                                                                                        \
  ({                                                                                                     \
    __typeof__(x) o_ = __atomic_fetch_add(&(x), (n), __ATOMIC_SEQ_CST);                                  \
    if (RECORDING) __raddle_update(SITE, (volatile void *)&(x), (uint64_t)o_, (uint64_t)(o_ + (n)), sizeof(x)); \
    o_;                                                                                                  \
  })
#define BRANCH(condition)                                                                                \
  ({                                                                                                     \
    int c_ = !!(condition);                                                                              \
    if (RECORDING) __raddle_branch(SITE, (uint32_t)c_);                                                  \
    c_;                                                                                                  \
  })
/* The beginning and the ways out of a function. */
#define ENTER                                                                                            \
  uint32_t token_ = 0;                                                                                   \
  if (__raddle_mode) token_ = __raddle_enter(SITE)
#define LEAVE                                                                                            \
  do {                                                                                                   \
    if (__raddle_mode) __raddle_leave(SITE, token_);                                                     \
  } while (0)
/* A call of something that is not instrumented. */
#define CALL(f)                                                                                          \
  do {                                                                                                   \
    if (RECORDING) __raddle_call(SITE);                                                                  \
    f;                                                                                                   \
    if (RECORDING) __raddle_back(SITE, 0);                                                               \
  } while (0)

#endif
