//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// Lamport's fast mutex for two threads (1 and 2), each of which enters twice. Without contention it takes a few steps;
// with contention a thread may have to start again, but only because the other gets in. There is no fair infinite
// execution.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso, and for loops that are gone
// round at most twice.
var x, y: int;
var busy: [int]bool;
var inside: int;

procedure Enter(me: int)
  modifies x, y, busy, inside;
{
  var entries: int;
  entries := 0;
  while (entries < 2) {
    busy[me] := true;
    x := me;
    if (y != 0) {
      busy[me] := false;
      while (y != 0) {
      }
      // start again
    } else {
      y := me;
      if (x != me) {
        busy[me] := false;
        while (busy[1]) {
        }
        while (busy[2]) {
        }
      }
      if (busy[me] || y == me) {
        inside := me;
        assert inside == me;
        y := 0;
        busy[me] := false;
        entries := entries + 1;
      } else {
        while (y != 0) {
        }
        // start again
      }
    }
  }
}

procedure main()
  modifies x, y, busy, inside;
{
  x := 0;
  y := 0;
  busy[1] := false;
  busy[2] := false;
  async call Enter(1);
  async call Enter(2);
}
