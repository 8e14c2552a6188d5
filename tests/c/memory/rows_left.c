// After the last row comes something else.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
struct {
  int matrix[2][3];
  int after;
} both;

int main(void) {
  int *cell = &both.matrix[0][0];
  for (int i = 0; i < 7; i++)
    cell[i] = i;
  return 0;
}
