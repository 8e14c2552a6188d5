// A function returns the address of its local variable.
//@ run: explore --clang-arg=-Wno-return-stack-address
//@ verdict: unsafe
//@ exit: 1
static int *largest(int a, int b) {
  int result = a > b ? a : b;
  int *volatile address = &result;
  return address;
}

int main(void) {
  int *found = largest(1, 2);
  return *found; //~ memory
}
