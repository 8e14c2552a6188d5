#include <stdio.h>
#include <string.h>

struct entry {
  char tag;
  short values[3];
  long sum;
};

static long total(struct entry *entries, int count) {
  long result = 0;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < 3; j++) result = result * 3 + entries[i].values[j] + entries[i].tag;
  return result;
}

int main(void) {
  int cube[4][5][4] = {{{1, 2, 3, 4}, {5}}, {{6, 7}}, {{0}, {8, 9, 10, 11}}, {{12}, {13}, {14}, {15}, {16, 17}}};
  struct entry entries[20] = {{'a', {1, 2, 3}, 4}, {'b', {5, 6}, 7}, [19] = {'z', {8, 9, 10}, 11}};
  struct entry copies[20];
  memcpy(copies, entries, sizeof copies);
  int sum = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++)
      for (int k = 0; k < 4; k++) sum = sum * 2 + cube[i][j][k];
  printf("%d %ld %ld\n", sum, total(entries, 20), total(copies, 20));
  memset(entries, 0x11, sizeof entries);
  printf("%ld %ld %d\n", total(entries, 20), copies[19].sum, copies[7].tag);
  return 0;
}
