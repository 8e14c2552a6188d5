//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// Dekker's first attempt, without the turn: a thread that sees the flag of the other lowers its own and tries again.
// Both can do so in step for ever, as two people do who meet in a corridor. Each thread runs, so the execution is fair.
var wants: [int]bool;
var inside: int;

procedure Enter(me: int, other: int)
  modifies wants, inside;
{
  wants[me] := true;
  while (wants[other]) { // both stay in this loop
    wants[me] := false;
    wants[me] := true;
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
