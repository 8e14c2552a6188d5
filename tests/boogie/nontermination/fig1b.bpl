//@ run: explore --fairness strong
//@ run: live --fairness strong
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// Fig. 1 (b) of the non-termination paper: both threads can retry for ever.
var g: bool;

procedure {:thread} Thread1()
  modifies g;
{
  while (g) {
    g := false;
  }
}

procedure {:thread} Thread2()
  modifies g;
{
  while (!g) {
    g := true;
  }
}
