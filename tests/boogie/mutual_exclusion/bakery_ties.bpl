//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// Lamport's bakery with a mistake: ties are not broken. Two threads that draw the same ticket wait for each other for
// ever. Each spins, so the execution is fair.
var choosing: [int]bool;
var ticket: [int]int;
var inside: int;

procedure Enter(me: int, other: int)
  modifies choosing, ticket, inside;
{
  var seen: int;
  choosing[me] := true;
  seen := ticket[other];
  ticket[me] := seen + 1;
  choosing[me] := false;
  while (choosing[other]) {
  }
  while (ticket[other] != 0 && ticket[other] <= ticket[me]) { //~ non-termination
  }
  inside := me;
  assert inside == me;
  ticket[me] := 0;
}

procedure main()
  modifies choosing, ticket, inside;
{
  choosing[0] := false;
  choosing[1] := false;
  ticket[0] := 0;
  ticket[1] := 0;
  async call Enter(0, 1);
  async call Enter(1, 0);
}
