// What comes after `__builtin_unreachable` is never run, says the programmer.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
static volatile int mode = 3;

int main(void) {
  switch (mode) {
  case 1:
    return 0;
  case 2:
    return 1;
  default:
    __builtin_unreachable();
  }
}
