//@ run: explore --fairness none
//@ run: live --fairness none
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// The program of fig1a_repaired.bpl under a scheduler that need not be fair.
var g: bool;

procedure {:thread} Thread1()
{
  while (!g) { //~ non-termination
  }
}

procedure {:thread} Thread2()
  modifies g;
{
  g := true;
}
