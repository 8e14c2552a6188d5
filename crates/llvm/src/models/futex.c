/* Waiting for a number in memory to change, which is how `std::atomic`, `std::counting_semaphore`, `std::latch` and `std::barrier` wait on
 * Linux. Who waits has a place in a table and a semaphore; who wakes may choose among those that wait for the same number. */
#include <errno.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>

enum { FUTEX = 202, WAIT = 0, WAKE = 1, WAIT_BITSET = 9, COMMAND = 127, PLACES = 8, NONE = -1 };

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
void __raddle_other_system_call(void);
void __raddle_more_threads_that_wait_for_a_number(void);

int *__raddle_futex_place[PLACES];
sem_t __raddle_futex_woken[PLACES];

static int futex_wait(int *at, int expected, const void *limit) {
  int place = NONE;
  __VERIFIER_atomic_begin();
  int found = __atomic_load_n(at, __ATOMIC_SEQ_CST);
  if (found == expected) {
    for (int each = 0; each < PLACES; each++)
      if (place == NONE && __raddle_futex_place[each] == NULL)
        place = each;
    if (place != NONE)
      __raddle_futex_place[place] = at;
  }
  __VERIFIER_atomic_end();
  if (found != expected) {
    errno = EAGAIN;
    return -1;
  }
  if (place == NONE)
    __raddle_more_threads_that_wait_for_a_number();
  if (limit != NULL && __VERIFIER_nondet_bool()) {
    __VERIFIER_atomic_begin();
    _Bool late = __raddle_futex_place[place] == at;
    if (late)
      __raddle_futex_place[place] = NULL;
    __VERIFIER_atomic_end();
    if (late) {
      errno = ETIMEDOUT;
      return -1;
    }
  }
  sem_wait(&__raddle_futex_woken[place]);
  __VERIFIER_atomic_begin();
  __raddle_futex_place[place] = NULL;
  __VERIFIER_atomic_end();
  return 0;
}

/* Who is woken keeps the place until it goes on, but does not wait for the number any more. */
int __raddle_futex_nothing;

static int futex_wake(int *at, int most) {
  _Bool woken[PLACES];
  int count = 0;
  __VERIFIER_atomic_begin();
  for (int round = 0; round < 2; round++)
    for (int each = 0; each < PLACES; each++) {
      if (round == 0)
        woken[each] = 0;
      if (count < most && __raddle_futex_place[each] == at && (round == 1 || most > PLACES || __VERIFIER_nondet_bool())) {
        __raddle_futex_place[each] = &__raddle_futex_nothing;
        woken[each] = 1;
        count++;
      }
    }
  __VERIFIER_atomic_end();
  for (int each = 0; each < PLACES; each++)
    if (woken[each])
      sem_post(&__raddle_futex_woken[each]);
  return count;
}

long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  int *at = va_arg(rest, int *);
  int command = va_arg(rest, int) & COMMAND;
  int count = va_arg(rest, int);
  if (number == FUTEX && command == WAKE) {
    va_end(rest);
    return futex_wake(at, count);
  }
  if (number != FUTEX || (command != WAIT && command != WAIT_BITSET))
    __raddle_other_system_call();
  const void *limit = va_arg(rest, const void *);
  va_end(rest);
  return futex_wait(at, count, limit);
}
