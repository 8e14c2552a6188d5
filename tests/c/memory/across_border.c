// The bytes of a struct that begins with an array are gone through. A pointer to the struct is one to the array, too, so the runs are not
// followed beyond that; nothing is wrong with them.
//@ run: explore
//@ run: verify
//@ verdict: unknown
//@ exit: 3
#include <assert.h>
#include <string.h>

struct entry {
  char name[4];
  int value;
} entry;

static unsigned sum(const void *from, unsigned bytes) {
  const unsigned char *at = from;
  unsigned total = 0;
  for (unsigned i = 0; i < bytes; i++)
    total += at[i];
  return total;
}

int main(void) {
  strcpy(entry.name, "a");
  entry.value = 5;
  assert(sum(&entry, sizeof entry) == 'a' + 5);
  return 0;
}
