// The same with the right check. Unless somebody says which numbers matter, a few that were tried are no proof.
//@ run(sample): explore
//@ run(chosen): explore --int-range -1..8
//@ verdict(sample): unknown
//@ verdict(chosen): safe
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int table[4] = {0};
  int index = __VERIFIER_nondet_int();
  if (index < 0 || index >= 4)
    return 1;
  table[index] = 1;
  return 0;
}
