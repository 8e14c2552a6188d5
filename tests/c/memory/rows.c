// A pointer to the first element goes through all rows, and a union shows them as one array.
//@ run: explore --check assertion
//@ run: verify
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <stdlib.h>

int matrix[2][3];
struct row {
  int cells[3];
} rows[2];
union {
  int matrix[2][3];
  int flat[6];
} both;

static int sum(const int *from, const int *end) {
  int total = 0;
  while (from != end)
    total += *from++;
  return total;
}

int main(void) {
  int *cell = &matrix[0][0];
  for (int i = 0; i < 6; i++)
    cell[i] = i;
  assert(matrix[1][2] == 5);
  for (int j = 0; j < 3; j++)
    matrix[1][j] = 10;
  assert(sum(matrix[0], matrix[0] + 6) == 33);

  cell = (int *)rows;
  for (int i = 0; i < 6; i++)
    cell[i] = i;
  assert(rows[1].cells[1] == 4);

  for (int j = 0; j < 3; j++)
    both.matrix[1][j] = j;
  int total = 0;
  for (int i = 0; i < 6; i++)
    total += both.flat[i];
  assert(total == 3);

  int(*heap)[3] = malloc(2 * sizeof *heap);
  cell = heap[0];
  for (int i = 0; i < 6; i++)
    cell[i] = i;
  assert(heap[1][0] == 3);
  free(heap);
  return 0;
}
