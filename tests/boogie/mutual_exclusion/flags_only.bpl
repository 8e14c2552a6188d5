//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// Peterson's algorithm without the variable that says who came last: both raise their flags, and then each spins for
// ever until the other's flag falls. Each thread runs, so the execution is fair.
var wants: [int]bool;
var inside: int;

procedure Enter(me: int, other: int)
  modifies wants, inside;
{
  wants[me] := true;
  while (wants[other]) { //~ non-termination
  }
  inside := me;
  assert inside == me;
  wants[me] := false;
}

procedure main()
  modifies wants;
{
  wants[0] := false;
  wants[1] := false;
  async call Enter(0, 1);
  async call Enter(1, 0);
}
