//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// Dekker's algorithm: one thread enters once, the other again and again until the first has left. Whoever leaves passes
// the turn on, and the turn comes back only from the first, so the first does not starve.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var wants: [int]bool;
var turn: int;
var inside: int;
var done: bool;

procedure Lock(me: int, other: int)
  modifies wants;
{
  wants[me] := true;
  while (wants[other]) {
    if (turn != me) {
      wants[me] := false;
      while (turn != me) {
      }
      wants[me] := true;
    }
  }
}

procedure Unlock(me: int, other: int)
  modifies wants, turn;
{
  turn := other;
  wants[me] := false;
}

procedure Once()
  modifies wants, turn, inside, done;
{
  call Lock(0, 1);
  inside := 0;
  assert inside == 0;
  call Unlock(0, 1);
  done := true;
}

procedure Competitor()
  modifies wants, turn, inside;
{
  while (!done) {
    call Lock(1, 0);
    inside := 1;
    assert inside == 1;
    call Unlock(1, 0);
  }
}

procedure main()
  modifies wants, turn, inside, done;
{
  wants[0] := false;
  wants[1] := false;
  turn := 1;
  done := false;
  async call Once();
  async call Competitor();
}
