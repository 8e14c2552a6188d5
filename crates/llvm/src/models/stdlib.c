/* Numbers from texts, the environment, `errno`. */
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
