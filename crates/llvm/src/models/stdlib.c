/* Numbers from texts, sorting and searching, the environment, `errno`. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

_Thread_local int __raddle_errno;

int *__errno_location(void) { return &__raddle_errno; }

/* There is no environment. */
char *getenv(const char *name) { return NULL; }
char *secure_getenv(const char *name) { return NULL; }

/* One text for all errors. */
char *strerror(int error) { return (char *)"an error"; }

static int is_space(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

/* What a character is worth as a digit; 36 if it is none. */
static int digit(char c) {
  if ('0' <= c && c <= '9')
    return c - '0';
  if ('a' <= c && c <= 'z')
    return c - 'a' + 10;
  if ('A' <= c && c <= 'Z')
    return c - 'A' + 10;
  return 36;
}

static unsigned long magnitude(const char *text, const char **end, int base, int *negative, int *overflow) {
  const char *at = text, *last = text;
  unsigned long value = 0;
  *negative = 0;
  *overflow = 0;
  while (is_space(*at))
    at++;
  if (*at == '-' || *at == '+') {
    *negative = *at == '-';
    at++;
  }
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit(at[2]) < 16) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  for (; digit(*at) < base; at++) {
    unsigned long more = (unsigned long)digit(*at);
    if (value > (ULONG_MAX - more) / (unsigned long)base)
      *overflow = 1;
    value = value * (unsigned long)base + more;
    last = at + 1;
  }
  *end = last;
  return value;
}

unsigned long strtoul(const char *text, char **end, int base) {
  const char *last;
  int negative, overflow;
  unsigned long value = magnitude(text, &last, base, &negative, &overflow);
  if (end)
    *end = (char *)last;
  if (overflow) {
    __raddle_errno = 34;
    return ULONG_MAX;
  }
  return negative ? -value : value;
}

long strtol(const char *text, char **end, int base) {
  const char *last;
  int negative, overflow;
  unsigned long value = magnitude(text, &last, base, &negative, &overflow);
  if (end)
    *end = (char *)last;
  if (overflow || value > (unsigned long)LONG_MAX + (unsigned long)negative) {
    __raddle_errno = 34;
    return negative ? LONG_MIN : LONG_MAX;
  }
  return (long)(negative ? -value : value);
}

long long strtoll(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long long strtoull(const char *text, char **end, int base) { return strtoul(text, end, base); }

/* Newer headers have names of their own for these. */
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoul(text, end, base); }

/* Without `errno`, which only `strtol` sets. */
static long decimal(const char *text) {
  unsigned long value = 0;
  int negative = 0;
  while (is_space(*text))
    text++;
  if (*text == '-' || *text == '+') {
    negative = *text == '-';
    text++;
  }
  for (; '0' <= *text && *text <= '9'; text++)
    value = value * 10 + (unsigned long)(*text - '0');
  return (long)(negative ? -value : value);
}

int atoi(const char *text) { return (int)decimal(text); }
long atol(const char *text) { return decimal(text); }
long long atoll(const char *text) { return decimal(text); }

/* Elements are moved as words where their size allows it, and elements are always addressed as such: memory that is used
 * as what it was declared as is cheaper than bytes. */
typedef int compare(const void *, const void *);

#define MOVE(field)                                                                                                    \
  {                                                                                                                    \
    uint64_t kept = a[at - 1].field;                                                                                   \
    a[at - 1].field = a[at].field;                                                                                     \
    a[at].field = kept;                                                                                                \
  }

/* Sorts by insertion, so equal elements keep their order. */
#define SORT(name, element, swap)                                                                                      \
  static void name(element *a, size_t count, compare *order) {                                                         \
    for (size_t sorted = 1; sorted < count; sorted++)                                                                  \
      for (size_t at = sorted; at > 0 && order(&a[at - 1], &a[at]) > 0; at--)                                          \
        swap                                                                                                           \
  }

/* What other sizes come to: a function that nobody knows. */
void odd_size(void) __asm__("qsort with elements of this size");

struct word1 { uint8_t x; };
struct word2 { uint16_t x; };
struct word4 { uint32_t x; };
struct word8 { uint64_t x; };
struct words3 { uint8_t x, y, z; };
struct words6 { uint16_t x, y, z; };
struct words12 { uint32_t x, y, z; };
struct words16 { uint64_t x, y; };
struct words24 { uint64_t x, y, z; };
struct words20 { uint32_t x, y, z, v, w; };
struct words32 { uint64_t x, y, z, v; };
struct words40 { uint64_t x, y, z, v, w; };
struct words48 { uint64_t x, y, z, v, w, u; };

SORT(sort1, struct word1, MOVE(x))
SORT(sort2, struct word2, MOVE(x))
SORT(sort3, struct words3, { MOVE(x) MOVE(y) MOVE(z) })
SORT(sort4, struct word4, MOVE(x))
SORT(sort6, struct words6, { MOVE(x) MOVE(y) MOVE(z) })
SORT(sort8, struct word8, MOVE(x))
SORT(sort12, struct words12, { MOVE(x) MOVE(y) MOVE(z) })
SORT(sort16, struct words16, { MOVE(x) MOVE(y) })
SORT(sort20, struct words20, { MOVE(x) MOVE(y) MOVE(z) MOVE(v) MOVE(w) })
SORT(sort24, struct words24, { MOVE(x) MOVE(y) MOVE(z) })
SORT(sort32, struct words32, { MOVE(x) MOVE(y) MOVE(z) MOVE(v) })
SORT(sort40, struct words40, { MOVE(x) MOVE(y) MOVE(z) MOVE(v) MOVE(w) })
SORT(sort48, struct words48, { MOVE(x) MOVE(y) MOVE(z) MOVE(v) MOVE(w) MOVE(u) })

void qsort(void *base, size_t count, size_t size, compare *order) {
  switch (size) {
  case 1: sort1(base, count, order); break;
  case 2: sort2(base, count, order); break;
  case 3: sort3(base, count, order); break;
  case 4: sort4(base, count, order); break;
  case 6: sort6(base, count, order); break;
  case 8: sort8(base, count, order); break;
  case 12: sort12(base, count, order); break;
  case 16: sort16(base, count, order); break;
  case 20: sort20(base, count, order); break;
  case 24: sort24(base, count, order); break;
  case 32: sort32(base, count, order); break;
  case 40: sort40(base, count, order); break;
  case 48: sort48(base, count, order); break;
  default: odd_size();
  }
}

#define SEARCH(element)                                                                                                \
  {                                                                                                                    \
    element *a = (element *)base;                                                                                      \
    size_t low = 0, high = count;                                                                                      \
    while (low < high) {                                                                                               \
      size_t middle = low + (high - low) / 2;                                                                          \
      int sign = order(key, &a[middle]);                                                                               \
      if (sign == 0)                                                                                                   \
        return &a[middle];                                                                                             \
      if (sign < 0)                                                                                                    \
        high = middle;                                                                                                 \
      else                                                                                                             \
        low = middle + 1;                                                                                              \
    }                                                                                                                  \
    return NULL;                                                                                                       \
  }

void *bsearch(const void *key, const void *base, size_t count, size_t size, compare *order) {
  switch (size) {
  case 1: SEARCH(struct word1)
  case 2: SEARCH(struct word2)
  case 3: SEARCH(struct words3)
  case 4: SEARCH(struct word4)
  case 6: SEARCH(struct words6)
  case 8: SEARCH(struct word8)
  case 12: SEARCH(struct words12)
  case 16: SEARCH(struct words16)
  case 20: SEARCH(struct words20)
  case 24: SEARCH(struct words24)
  case 32: SEARCH(struct words32)
  case 40: SEARCH(struct words40)
  case 48: SEARCH(struct words48)
  default: odd_size(); return NULL;
  }
}
