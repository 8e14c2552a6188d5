//@ run: explore --fairness strong
//@ run: live --fairness strong
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// The time-out of Fig. 3 (c) of the non-termination paper: marked as fair, it may not be refused for ever, so the
// loop ends.
var flag: bool;

procedure main()
  modifies flag;
{
  var timeout: bool;
  flag := true;
  timeout := false;
  while (flag && !timeout) {
    if {:fair} (*) {
      timeout := true;
    }
  }
}
