// A constant index past the end of a local array.
//@ run: explore --clang-arg=-Wno-array-bounds
//@ verdict: unsafe
//@ exit: 1
int main(void) {
  int numbers[3] = {1, 2, 3};
  return numbers[3]; //~ memory
}
