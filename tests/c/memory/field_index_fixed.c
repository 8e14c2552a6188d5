// The address right behind an array may be computed, if nobody follows it. The last field may be longer than it says.
//@ run: explore
//@ verdict: safe

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

static struct {
  int slots[3];
  int next;
} ring = {{1, 2, 3}, 9};

struct text {
  int length;
  char bytes[2];
};

static int sum(int count) {
  int total = 0;
  int *end = &ring.slots[count];
  for (int *slot = ring.slots; slot != end; slot++)
    total += *slot;
  int *behind = &ring.slots[count];
  if (count < 3)
    total += *behind;
  return total;
}

int main(void) {
  assert(sum(3) == 6);
  assert(sum(2) == 6);
  struct text *text = malloc(sizeof *text + 4);
  if (text == NULL)
    return 0;
  for (int i = 0; i < 6; i++)
    text->bytes[i] = 'a';
  assert(text->bytes[5] == 'a');
  free(text);
}
