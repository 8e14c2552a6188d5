/* What every C++ program may need: memory, objects that are made once, ends. Names are those that the compiler gives. */
#include <stddef.h>
#include <stdint.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition);
void __assert_fail(const char *what, const char *file, unsigned line, const char *function) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));

#define NAMED(name) __asm__(#name)

/* operator new and operator delete */
void *new_object(size_t size) NAMED(_Znwm);
void *new_array(size_t size) NAMED(_Znam);
void delete_object(void *at) NAMED(_ZdlPv);
void delete_array(void *at) NAMED(_ZdaPv);

void *new_aligned(size_t size, size_t alignment) NAMED(_ZnwmSt11align_val_t);
void *new_aligned(size_t size, size_t alignment) { return new_object(size); }
void *new_array_aligned(size_t size, size_t alignment) NAMED(_ZnamSt11align_val_t);
void *new_array_aligned(size_t size, size_t alignment) { return new_array(size); }

#define DELETE(name, what, ...)                                                                                        \
  void delete##name(void *at, ##__VA_ARGS__) NAMED(name);                                                              \
  void delete##name(void *at, ##__VA_ARGS__) { what(at); }

DELETE(_ZdlPvRKSt9nothrow_t, delete_object, const void *tag)
DELETE(_ZdaPvRKSt9nothrow_t, delete_array, const void *tag)
DELETE(_ZdlPvSt11align_val_t, delete_object, size_t alignment)
DELETE(_ZdaPvSt11align_val_t, delete_array, size_t alignment)
DELETE(_ZdlPvmSt11align_val_t, delete_object, size_t size, size_t alignment)
DELETE(_ZdaPvmSt11align_val_t, delete_array, size_t size, size_t alignment)

/* Static variables of functions: nobody has come yet, somebody makes the object, it is there. The compiler itself looks at
 * the lowest byte first. */
enum { MISSING = 0, THERE = 1, MAKING = 0x100 };

int __cxa_guard_acquire(uint64_t *guard) {
  __VERIFIER_atomic_begin();
  uint64_t state = __atomic_load_n(guard, __ATOMIC_ACQUIRE);
  __VERIFIER_assume(state != MAKING);
  if (state == MISSING)
    __atomic_store_n(guard, MAKING, __ATOMIC_RELAXED);
  __VERIFIER_atomic_end();
  return state == MISSING;
}

void __cxa_guard_release(uint64_t *guard) { __atomic_store_n(guard, THERE, __ATOMIC_RELEASE); }
void __cxa_guard_abort(uint64_t *guard) { __atomic_store_n(guard, MISSING, __ATOMIC_RELEASE); }

void __cxa_pure_virtual(void) { __assert_fail("a pure virtual function is called", "", 0, ""); }
void __cxa_deleted_virtual(void) { __assert_fail("a deleted virtual function is called", "", 0, ""); }

void terminate(void) NAMED(_ZSt9terminatev) __attribute__((noreturn));
void terminate(void) { abort(); }

/* There are other threads, for all that the library knows. */
char __libc_single_threaded = 0;
