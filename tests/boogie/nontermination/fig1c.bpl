//@ run: explore --fairness strong
//@ run: live --fairness strong
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// Fig. 1 (c) of the non-termination paper: the second thread can retry for ever, as long as the first changes `g`
// between its read and its validation. And the first can go round for ever by itself, which is found first.
var g: bool;
var x: mutex;

procedure {:thread} Thread1()
  modifies g, x;
{
  while (*) {
    acquire x;
    havoc g;
    release x;
  }
}

procedure {:thread} Thread2()
  modifies g, x;
{
  var gi, gf: bool;
  while (true) {
    gi := g;
    gf := !gi;
    acquire x;
    if (g == gi) {
      g := gf;
      release x;
      return;
    } else {
      release x;
    }
  }
}
