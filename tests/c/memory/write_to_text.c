// A text of the program cannot be changed.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
static char *greeting = "hello";

int main(void) {
  greeting[0] = 'H'; //~ memory
  return 0;
}
