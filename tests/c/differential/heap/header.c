// One allocation for a header and what comes after it, whatever that is.
#include <stdio.h>
#include <stdlib.h>

struct head {
  struct head *next;
  long size;
};

static void *allocate(size_t size) {
  struct head *head = malloc(sizeof *head + size);
  head->next = NULL;
  head->size = (long)size;
  return head + 1;
}

static long size_of(void *at) { return ((struct head *)at - 1)->size; }

struct pair {
  short first;
  char second;
};

int main(void) {
  int *number = allocate(sizeof *number);
  *number = 5;
  struct pair *pair = allocate(sizeof *pair);
  pair->first = 7;
  pair->second = 'x';
  char *text = allocate(11);
  for (int i = 0; i < 10; i++)
    text[i] = (char)('a' + i);
  text[10] = 0;
  int *three = malloc(3 * sizeof *three + 2);
  for (int i = 0; i < 3; i++)
    three[i] = i;
  ((char *)three)[13] = 9;
  printf("%d %d %c %c %ld %ld %ld\n", *number, pair->first, pair->second, text[9], size_of(number), size_of(pair), size_of(text));
  printf("%d %d\n", three[2], ((char *)three)[13]);
  return 0;
}
