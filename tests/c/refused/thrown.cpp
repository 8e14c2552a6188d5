// An exception that somebody catches.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
static int parse(int digit) {
  if (digit > 9)
    throw digit;
  return digit;
}

int main() {
  try {
    return parse(12);
  } catch (int) {
    return 1;
  }
}
