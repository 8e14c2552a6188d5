#include <stdio.h>

struct inner {
  short a;
  int b[3];
};

struct outer {
  char tag;
  struct inner inner;
  long last;
};

#define OFFSET(type, member) ((unsigned long)&((type *)0)->member)

static unsigned table[] = {OFFSET(struct outer, inner), 1000 - (unsigned)OFFSET(struct outer, inner.b[2])};

int main(void) {
  struct outer outer = {'x', {7, {8, 9, 10}}, -1};
  int *b = &outer.inner.b[1];
  struct outer *found = (struct outer *)((char *)b - OFFSET(struct outer, inner.b[1]));
  printf("%u %u %lu\n", table[0], table[1], OFFSET(struct outer, last) * 3);
  printf("%c %d %d %ld\n", found->tag, found->inner.a, found->inner.b[2], found->last);
  return (int)OFFSET(struct outer, last);
}
