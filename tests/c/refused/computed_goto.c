// Jumps to labels as values.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
static volatile int which;

int main(void) {
  static void *const targets[] = {&&zero, &&one};
  goto *targets[which];
zero:
  return 0;
one:
  return 1;
}
