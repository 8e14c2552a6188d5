/* Texts and blocks of bytes. */
#include <stddef.h>

void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length])
    length++;
  return length;
}

size_t strnlen(const char *text, size_t most) {
  size_t length = 0;
  while (length < most && text[length])
    length++;
  return length;
}

int strcmp(const char *a, const char *b) {
  for (size_t at = 0;; at++) {
    unsigned char x = a[at], y = b[at];
    if (x != y || x == 0)
      return x - y;
  }
}

int strncmp(const char *a, const char *b, size_t most) {
  for (size_t at = 0; at < most; at++) {
    unsigned char x = a[at], y = b[at];
    if (x != y || x == 0)
      return x - y;
  }
  return 0;
}

static int small(unsigned char c) { return 'A' <= c && c <= 'Z' ? c + ('a' - 'A') : c; }

int strcasecmp(const char *a, const char *b) {
  for (size_t at = 0;; at++) {
    int x = small(a[at]), y = small(b[at]);
    if (x != y || x == 0)
      return x - y;
  }
}

int strncasecmp(const char *a, const char *b, size_t most) {
  for (size_t at = 0; at < most; at++) {
    int x = small(a[at]), y = small(b[at]);
    if (x != y || x == 0)
      return x - y;
  }
  return 0;
}

char *stpcpy(char *to, const char *from) {
  size_t at = 0;
  for (;; at++) {
    char c = from[at];
    to[at] = c;
    if (c == 0)
      return to + at;
  }
}

char *strcpy(char *to, const char *from) {
  stpcpy(to, from);
  return to;
}

char *strncpy(char *to, const char *from, size_t size) {
  size_t at = 0;
  for (; at < size; at++) {
    char c = from[at];
    if (c == 0)
      break;
    to[at] = c;
  }
  for (; at < size; at++)
    to[at] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t most) {
  size_t end = strlen(to), at = 0;
  for (; at < most; at++) {
    char c = from[at];
    if (c == 0)
      break;
    to[end + at] = c;
  }
  to[end + at] = 0;
  return to;
}

char *strchr(const char *text, int wanted) {
  for (size_t at = 0;; at++) {
    char c = text[at];
    if (c == (char)wanted)
      return (char *)text + at;
    if (c == 0)
      return NULL;
  }
}

char *strchrnul(const char *text, int wanted) {
  size_t at = 0;
  for (;; at++) {
    char c = text[at];
    if (c == (char)wanted || c == 0)
      return (char *)text + at;
  }
}

char *strrchr(const char *text, int wanted) {
  char *last = NULL;
  for (size_t at = 0;; at++) {
    char c = text[at];
    if (c == (char)wanted)
      last = (char *)text + at;
    if (c == 0)
      return last;
  }
}

char *strstr(const char *text, const char *wanted) {
  for (size_t start = 0;; start++) {
    size_t at = 0;
    while (wanted[at] && text[start + at] == wanted[at])
      at++;
    if (wanted[at] == 0)
      return (char *)text + start;
    if (text[start + at] == 0)
      return NULL;
  }
}

static int among(char c, const char *set) {
  for (size_t at = 0; set[at]; at++)
    if (set[at] == c)
      return 1;
  return 0;
}

size_t strspn(const char *text, const char *set) {
  size_t at = 0;
  for (;; at++) {
    char c = text[at];
    if (c == 0 || !among(c, set))
      return at;
  }
}

size_t strcspn(const char *text, const char *set) {
  size_t at = 0;
  for (;; at++) {
    char c = text[at];
    if (c == 0 || among(c, set))
      return at;
  }
}

char *strpbrk(const char *text, const char *set) {
  size_t at = strcspn(text, set);
  return text[at] ? (char *)text + at : NULL;
}

char *strtok_r(char *text, const char *set, char **rest) {
  if (text == NULL)
    text = *rest;
  if (text == NULL)
    return NULL;
  text += strspn(text, set);
  if (*text == 0) {
    *rest = text;
    return NULL;
  }
  char *end = text + strcspn(text, set);
  if (*end) {
    *end = 0;
    end++;
  }
  *rest = end;
  return text;
}

char *__strtok_r(char *text, const char *set, char **rest) { return strtok_r(text, set, rest); }

char *__raddle_strtok_rest;

char *strtok(char *text, const char *set) { return strtok_r(text, set, &__raddle_strtok_rest); }

char *strdup(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

char *__strdup(const char *text) { return strdup(text); }

char *strndup(const char *text, size_t most) {
  size_t length = strnlen(text, most);
  char *copy = malloc(length + 1);
  if (copy == NULL)
    return NULL;
  for (size_t at = 0; at < length; at++)
    copy[at] = text[at];
  copy[length] = 0;
  return copy;
}

int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  for (size_t at = 0; at < size; at++)
    if (x[at] != y[at])
      return x[at] - y[at];
  return 0;
}

int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }

void *memchr(const void *block, int wanted, size_t size) {
  const unsigned char *bytes = block;
  for (size_t at = 0; at < size; at++)
    if (bytes[at] == (unsigned char)wanted)
      return (void *)(bytes + at);
  return NULL;
}

void *mempcpy(void *to, const void *from, size_t size) { return (char *)memcpy(to, from, size) + size; }

void bcopy(const void *from, void *to, size_t size) { memmove(to, from, size); }

void bzero(void *to, size_t size) { memset(to, 0, size); }
