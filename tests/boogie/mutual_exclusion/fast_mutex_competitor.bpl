//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong --stem 1 --lasso 2 --unroll 2
//@ run: live --fairness weak --stem 1 --lasso 2 --unroll 2
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// Lamport's fast mutex: one thread enters once, the other again and again until the first has left. The fast mutex is
// not free of starvation: the first can find `y` taken each time it looks, and the competitor gets in each time.
var x, y: int;
var busy: [int]bool;
var inside: int;
var done: bool;

procedure Lock(me: int)
  modifies x, y, busy;
{
  while (true) { // the first stays in this loop, or in one in it
    busy[me] := true;
    x := me;
    if (y != 0) {
      busy[me] := false;
      while (y != 0) {
      }
    } else {
      y := me;
      if (x == me) {
        return;
      }
      busy[me] := false;
      while (busy[1]) {
      }
      while (busy[2]) {
      }
      if (y == me) {
        return;
      }
      while (y != 0) {
      }
    }
  }
}

procedure Unlock(me: int)
  modifies y, busy;
{
  y := 0;
  busy[me] := false;
}

procedure Once()
  modifies x, y, busy, inside, done;
{
  call Lock(1);
  inside := 1;
  assert inside == 1;
  call Unlock(1);
  done := true;
}

procedure Competitor()
  modifies x, y, busy, inside;
{
  while (!done) {
    call Lock(2);
    inside := 2;
    assert inside == 2;
    call Unlock(2);
  }
}

procedure main()
  modifies x, y, busy, inside, done;
{
  x := 0;
  y := 0;
  busy[1] := false;
  busy[2] := false;
  done := false;
  async call Once();
  async call Competitor();
}
