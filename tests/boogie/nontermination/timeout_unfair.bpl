//@ run: explore --fairness strong
//@ run: live --fairness strong
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// The time-out of Fig. 3 (c) of the non-termination paper: as a plain choice, it may be refused for ever, so the
// loop need not end.
var flag: bool;

procedure main()
  modifies flag;
{
  var timeout: bool;
  flag := true;
  timeout := false;
  while (flag && !timeout) {
    if (*) {
      timeout := true;
    }
  }
}
