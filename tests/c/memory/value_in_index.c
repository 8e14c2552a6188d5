// An index that is known, but only by following a variable.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
int main(void) {
  int numbers[3] = {1, 2, 3};
  long last = sizeof numbers / sizeof numbers[0];
  return numbers[last]; //~ memory
}
