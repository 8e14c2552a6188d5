//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// Fig. 1 (a) of the non-termination paper without the first assignment: the first thread spins only as long as the
// second has not run, and no fair scheduler keeps it from running.
var g: bool;

procedure {:thread} Thread1()
{
  while (!g) {
  }
}

procedure {:thread} Thread2()
  modifies g;
{
  g := true;
}
