// A function that copies and clears structs of the same size: what is padding in one is a field of the other.
#include <stdio.h>
#include <string.h>

struct padded {
  int number;
  char mark;
};

struct full {
  int number;
  char marks[4];
};

static struct padded padded, other_padded = {1, 2};
static struct full full, other_full = {3, {4, 5, 6, 7}};

static void copy(void *to, const void *from) { memcpy(to, from, 8); }
static void clear(void *at) { memset(at, 0, 8); }

int main(void) {
  copy(&padded, &other_padded);
  copy(&full, &other_full);
  printf("%d %d\n", padded.number, padded.mark);
  printf("%d %d %d %d %d\n", full.number, full.marks[0], full.marks[1], full.marks[2], full.marks[3]);
  clear(&padded);
  clear(&full);
  printf("%d %d\n", padded.number, padded.mark);
  printf("%d %d %d %d %d\n", full.number, full.marks[0], full.marks[1], full.marks[2], full.marks[3]);
  return 0;
}
