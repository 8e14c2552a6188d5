// A pointer that is thrown, and a handler of another type of pointers.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
static int parse(int digit) {
  if (digit > 9)
    throw "too large";
  return digit;
}

int main() {
  try {
    return parse(12);
  } catch (const void *) {
    return 1;
  }
}
