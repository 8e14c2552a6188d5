// An index that comes from outside, with a check that is off by one.
//@ run: explore --int-range -1..8
//@ verdict: unsafe
//@ exit: 1
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int table[4] = {0};
  int index = __VERIFIER_nondet_int();
  if (index < 0 || index > 4)
    return 1;
  table[index] = 1; //~ memory
  return 0;
}
