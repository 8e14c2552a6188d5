//@ run: explore --fairness strong
//@ run: live --fairness strong
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// Fig. 1 (c) of the non-termination paper, with a first thread that stops when the second has returned: then an
// infinite execution needs both, and the second retries for ever.
var g: bool;
var x: mutex;
var returned: bool;

procedure Thread1()
  modifies g, x, returned;
{
  while (!returned) {
    acquire x;
    havoc g;
    release x;
  }
}

procedure Thread2()
  modifies g, x, returned;
{
  var gi, gf: bool;
  while (true) {
    gi := g;
    gf := !gi;
    acquire x;
    if (g == gi) {
      g := gf;
      release x;
      returned := true;
      return;
    } else {
      release x;
    }
  }
}

procedure main()
  modifies g, x, returned;
{
  returned := false;
  async call Thread1();
  async call Thread2();
}
