// One step past the end of a global array.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
static int table[4];

int main(void) {
  for (int i = 0; i <= 4; i++)
    table[i] = i; //~ memory
  return 0;
}
