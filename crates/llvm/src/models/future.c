/* How `std::future` waits: for a number in memory to change. Who changes it does not have to tell. What a future shares with who
 * makes its result has a `std::once_flag` in it, which is a number, too. */
#include <stdbool.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_await(bool condition);

#define NAMED(name) __asm__("_ZNSt28__atomic_futex_unsigned_base" #name)

/* Waiting for a while and then giving up is looking at some later time. */
static bool wait_for_change(unsigned *at, unsigned value, bool limited) {
  if (limited)
    return __atomic_load_n(at, __ATOMIC_SEQ_CST) != value;
  __VERIFIER_atomic_begin();
  __VERIFIER_await(__atomic_load_n(at, __ATOMIC_SEQ_CST) != value);
  __VERIFIER_atomic_end();
  return true;
}

bool wait_until(void *self, unsigned *at, unsigned value, bool limited, long seconds, long parts)
    NAMED(19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE);
bool wait_until(void *self, unsigned *at, unsigned value, bool limited, long seconds, long parts) {
  return wait_for_change(at, value, limited);
}

bool wait_until_steady(void *self, unsigned *at, unsigned value, bool limited, long seconds, long parts)
    NAMED(26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE);
bool wait_until_steady(void *self, unsigned *at, unsigned value, bool limited, long seconds, long parts) {
  return wait_for_change(at, value, limited);
}

void notify_all(unsigned *at) NAMED(19_M_futex_notify_allEPj);
void notify_all(unsigned *at) {}

enum { MISSING = 0, MAKING = 1, THERE = 2 };

__attribute__((noinline)) int pthread_once(int *control, void (*function)(void)) {
  __VERIFIER_atomic_begin();
  int state = __atomic_load_n(control, __ATOMIC_SEQ_CST);
  __VERIFIER_await(state != MAKING);
  if (state == MISSING)
    __atomic_store_n(control, MAKING, __ATOMIC_SEQ_CST);
  __VERIFIER_atomic_end();
  if (state == MISSING) {
    function();
    __atomic_store_n(control, THERE, __ATOMIC_SEQ_CST);
  }
  return 0;
}
