// Copies and fills that end in the middle of an element, and accesses that go over the padding between elements.
#include <stdio.h>
#include <string.h>

struct small {
  short a;
  char b;
} smalls[4];

int from[4] = {1, 2, 3, 4}, to[4];
int bytes = 6, one = 1;

int main(void) {
  from[one] = 0x12345678;
  memcpy(to, from, bytes);
  printf("%x %x %x\n", to[0], to[one], to[2]);
  memset(to + one, 0xff, bytes + 1);
  printf("%x %x %x %x\n", to[0], to[one], to[2], to[3]);
  memmove((char *)from, from + one, bytes);
  printf("%x %x %x\n", from[0], from[one], from[2]);
  memmove(from + one, from, bytes + 3);
  printf("%x %x %x %x\n", from[0], from[one], from[2], from[3]);

  for (int i = 0; i < 4; i++) {
    smalls[i].a = i + 1;
    smalls[i].b = i + 5;
  }
  unsigned long both;
  memcpy(&both, &smalls[one], sizeof both);
  printf("%lx %lx\n", both & 0xffffff, both >> 32 & 0xffffff);
  return 0;
}
