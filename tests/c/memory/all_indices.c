// A number of 8 bits: all of them are tried.
//@ run: explore --int-range -128..255
//@ verdict: safe
//@ exit: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int table[4] = {0};
  unsigned char index = __VERIFIER_nondet_uchar();
  table[index & 3] = 1;
  return 0;
}
