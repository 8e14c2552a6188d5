/* Sorting and searching. Programs are made to run with these, too: what they compare, and in which order, is then the same as here. */
#include <stddef.h>
#include <stdint.h>

typedef int compare(const void *, const void *);
typedef int compare_with(const void *, const void *, void *);

/* Elements are moved as words where their size allows it, and addressed as what they are: memory that is used as what it was
 * declared as is cheaper than bytes. */
struct word1 { uint8_t x; };
struct word2 { uint16_t x; };
struct word4 { uint32_t x; };
struct word8 { uint64_t x; };
struct words3 { uint8_t x, y, z; };
struct words6 { uint16_t x, y, z; };
struct words12 { uint32_t x, y, z; };
struct words16 { uint64_t x, y; };
struct words20 { uint32_t x, y, z, v, w; };
struct words24 { uint64_t x, y, z; };
struct words32 { uint64_t x, y, z, v; };
struct words40 { uint64_t x, y, z, v, w; };
struct words48 { uint64_t x, y, z, v, w, u; };

/* Others are copied as a whole. */
#define OTHERS(DO)                                                                                                     \
  DO(5) DO(7) DO(9) DO(10) DO(14) DO(15) DO(18) DO(28) DO(30) DO(36) DO(44) DO(50) DO(52) DO(56) DO(60) DO(64) DO(68)  \
  DO(72) DO(76) DO(80) DO(84) DO(88) DO(96) DO(100) DO(104) DO(112) DO(120) DO(128) DO(136) DO(144) DO(160) DO(256)

#define DECLARE(size) struct bytes##size { uint8_t x[size]; };
OTHERS(DECLARE)

static void *element(void *base, size_t at, size_t size) {
#define AT(size)                                                                                                       \
  case size: return &((struct bytes##size *)base)[at];
  switch (size) {
  case 1: return &((struct word1 *)base)[at];
  case 2: return &((struct word2 *)base)[at];
  case 3: return &((struct words3 *)base)[at];
  case 4: return &((struct word4 *)base)[at];
  case 6: return &((struct words6 *)base)[at];
  case 8: return &((struct word8 *)base)[at];
  case 12: return &((struct words12 *)base)[at];
  case 16: return &((struct words16 *)base)[at];
  case 20: return &((struct words20 *)base)[at];
  case 24: return &((struct words24 *)base)[at];
  case 32: return &((struct words32 *)base)[at];
  case 40: return &((struct words40 *)base)[at];
  case 48: return &((struct words48 *)base)[at];
  OTHERS(AT)
  default:
    /* The analysis does not follow assembler, and so comes no further. */
    __asm__ volatile("# elements of this size");
    return (char *)base + at * size;
  }
}

#define SWAP(field)                                                                                                    \
  {                                                                                                                    \
    uint64_t kept = p->field;                                                                                          \
    p->field = q->field;                                                                                               \
    q->field = kept;                                                                                                   \
  }

#define SWAP_AS(words, swaps)                                                                                          \
  {                                                                                                                    \
    struct words *p = a, *q = b;                                                                                       \
    swaps break;                                                                                                       \
  }

static void swap(void *a, void *b, size_t size) {
#define SWAP_WHOLE(size)                                                                                               \
  case size: {                                                                                                         \
    struct bytes##size kept = *(struct bytes##size *)a;                                                                \
    *(struct bytes##size *)a = *(struct bytes##size *)b;                                                               \
    *(struct bytes##size *)b = kept;                                                                                   \
    break;                                                                                                             \
  }
  switch (size) {
  case 1: SWAP_AS(word1, SWAP(x))
  case 2: SWAP_AS(word2, SWAP(x))
  case 3: SWAP_AS(words3, SWAP(x) SWAP(y) SWAP(z))
  case 4: SWAP_AS(word4, SWAP(x))
  case 6: SWAP_AS(words6, SWAP(x) SWAP(y) SWAP(z))
  case 8: SWAP_AS(word8, SWAP(x))
  case 12: SWAP_AS(words12, SWAP(x) SWAP(y) SWAP(z))
  case 16: SWAP_AS(words16, SWAP(x) SWAP(y))
  case 20: SWAP_AS(words20, SWAP(x) SWAP(y) SWAP(z) SWAP(v) SWAP(w))
  case 24: SWAP_AS(words24, SWAP(x) SWAP(y) SWAP(z))
  case 32: SWAP_AS(words32, SWAP(x) SWAP(y) SWAP(z) SWAP(v))
  case 40: SWAP_AS(words40, SWAP(x) SWAP(y) SWAP(z) SWAP(v) SWAP(w))
  case 48: SWAP_AS(words48, SWAP(x) SWAP(y) SWAP(z) SWAP(v) SWAP(w) SWAP(u))
  OTHERS(SWAP_WHOLE)
  default:
    for (size_t at = 0; at < size; at++) {
      uint8_t kept = ((uint8_t *)a)[at];
      ((uint8_t *)a)[at] = ((uint8_t *)b)[at];
      ((uint8_t *)b)[at] = kept;
    }
  }
}

/* Shell's sort. With less than 18 elements it is that by insertion, and equal elements keep their order. */
#define SORT(is_greater)                                                                                               \
  size_t gap = 1;                                                                                                      \
  while (gap < count / 9)                                                                                              \
    gap = 3 * gap + 1;                                                                                                 \
  for (; gap > 0; gap /= 3)                                                                                            \
    for (size_t sorted = gap; sorted < count; sorted++)                                                                \
      for (size_t at = sorted; at >= gap; at -= gap) {                                                                 \
        void *a = element(base, at - gap, size), *b = element(base, at, size);                                         \
        if (!(is_greater))                                                                                             \
          break;                                                                                                       \
        swap(a, b, size);                                                                                              \
      }

/* A program may have its own functions with some of these names. */
#define OURS __attribute__((weak))

OURS void qsort(void *base, size_t count, size_t size, compare *order) { SORT(order(a, b) > 0) }

OURS void qsort_r(void *base, size_t count, size_t size, compare_with *order, void *with) {
  SORT(order(a, b, with) > 0)
}

OURS void *bsearch(const void *key, const void *base, size_t count, size_t size, compare *order) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    void *at = element((void *)base, middle, size);
    int sign = order(key, at);
    if (sign == 0)
      return at;
    if (sign < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

OURS void *lfind(const void *key, const void *base, size_t *count, size_t size, compare *order) {
  for (size_t at = 0; at < *count; at++) {
    void *here = element((void *)base, at, size);
    if (order(key, here) == 0)
      return here;
  }
  return NULL;
}

OURS void *lsearch(const void *key, void *base, size_t *count, size_t size, compare *order) {
  void *found = lfind(key, base, count, size, order);
  if (found)
    return found;
  found = element(base, *count, size);
  __builtin_memcpy(found, key, size);
  ++*count;
  return found;
}
