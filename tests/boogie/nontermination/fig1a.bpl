//@ run: explore --fairness strong
//@ run: live --fairness strong
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// Fig. 1 (a) of the non-termination paper, as printed. It does have a fair infinite execution: the second thread
// runs first and its write is lost.
var g: bool;

procedure {:thread} Thread1()
  modifies g;
{
  g := false;
  while (!g) { //~ non-termination
  }
}

procedure {:thread} Thread2()
  modifies g;
{
  g := true;
}
