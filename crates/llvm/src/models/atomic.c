/* What compilers call for atomic operations that they do not write as instructions. All are sequentially consistent. */
#include <stddef.h>
#include <stdint.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void *memcpy(void *to, const void *from, size_t size);
int memcmp(const void *a, const void *b, size_t size);

/* The names mean something to the compiler, so the functions have others here. */
#define NAMED(name) __asm__(#name)

#define FETCH(type, bytes, op)                                                                                         \
  type fetch_##op##_##bytes(type *at, type by, int order) NAMED(__atomic_fetch_##op##_##bytes);                        \
  type fetch_##op##_##bytes(type *at, type by, int order) { return __atomic_fetch_##op(at, by, __ATOMIC_SEQ_CST); }    \
  type op##_fetch_##bytes(type *at, type by, int order) NAMED(__atomic_##op##_fetch_##bytes);                          \
  type op##_fetch_##bytes(type *at, type by, int order) { return __atomic_##op##_fetch(at, by, __ATOMIC_SEQ_CST); }

#define SIZED(type, bytes)                                                                                             \
  type load_##bytes(const type *at, int order) NAMED(__atomic_load_##bytes);                                           \
  type load_##bytes(const type *at, int order) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); }                       \
  void store_##bytes(type *at, type value, int order) NAMED(__atomic_store_##bytes);                                   \
  void store_##bytes(type *at, type value, int order) { __atomic_store_n(at, value, __ATOMIC_SEQ_CST); }               \
  type exchange_##bytes(type *at, type value, int order) NAMED(__atomic_exchange_##bytes);                             \
  type exchange_##bytes(type *at, type value, int order) { return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST); }  \
  _Bool compare_##bytes(type *at, type *expected, type value, int success, int failure)                                \
      NAMED(__atomic_compare_exchange_##bytes);                                                                        \
  _Bool compare_##bytes(type *at, type *expected, type value, int success, int failure) {                              \
    return __atomic_compare_exchange_n(at, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                    \
  }                                                                                                                    \
  FETCH(type, bytes, add)                                                                                              \
  FETCH(type, bytes, sub)                                                                                              \
  FETCH(type, bytes, and)                                                                                              \
  FETCH(type, bytes, or)                                                                                               \
  FETCH(type, bytes, xor)                                                                                              \
  FETCH(type, bytes, nand)

SIZED(uint8_t, 1)
SIZED(uint16_t, 2)
SIZED(uint32_t, 4)
SIZED(uint64_t, 8)

/* Objects of any size. */
void load(size_t size, const void *at, void *into, int order) NAMED(__atomic_load);
void load(size_t size, const void *at, void *into, int order) {
  __VERIFIER_atomic_begin();
  memcpy(into, at, size);
  __VERIFIER_atomic_end();
}

void store(size_t size, void *at, const void *value, int order) NAMED(__atomic_store);
void store(size_t size, void *at, const void *value, int order) {
  __VERIFIER_atomic_begin();
  memcpy(at, value, size);
  __VERIFIER_atomic_end();
}

void exchange(size_t size, void *at, const void *value, void *into, int order) NAMED(__atomic_exchange);
void exchange(size_t size, void *at, const void *value, void *into, int order) {
  __VERIFIER_atomic_begin();
  memcpy(into, at, size);
  memcpy(at, value, size);
  __VERIFIER_atomic_end();
}

_Bool compare(size_t size, void *at, void *expected, const void *value, int success, int failure)
    NAMED(__atomic_compare_exchange);
_Bool compare(size_t size, void *at, void *expected, const void *value, int success, int failure) {
  __VERIFIER_atomic_begin();
  _Bool same = memcmp(at, expected, size) == 0;
  if (same)
    memcpy(at, value, size);
  else
    memcpy(expected, at, size);
  __VERIFIER_atomic_end();
  return same;
}

_Bool is_lock_free(size_t size, const void *at) NAMED(__atomic_is_lock_free);
_Bool is_lock_free(size_t size, const void *at) { return size <= 8 && (size & (size - 1)) == 0; }
