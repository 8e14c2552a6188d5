//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong --stem 1 --lasso 1
//@ run: live --fairness weak --stem 1 --lasso 1
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// Lamport's bakery: one thread enters once, the other again and again until the first has left. The competitor's next
// ticket is larger than that of the first, so the first does not starve.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var choosing: [int]bool;
var ticket: [int]int;
var inside: int;
var done: bool;

procedure Lock(me: int, other: int)
  modifies choosing, ticket;
{
  var seen: int;
  choosing[me] := true;
  seen := ticket[other];
  ticket[me] := seen + 1;
  choosing[me] := false;
  while (choosing[other]) {
  }
  while (ticket[other] != 0 && (ticket[other] < ticket[me] || (ticket[other] == ticket[me] && other < me))) {
  }
}

procedure Once()
  modifies choosing, ticket, inside, done;
{
  call Lock(1, 0);
  inside := 1;
  assert inside == 1;
  ticket[1] := 0;
  done := true;
}

procedure Competitor()
  modifies choosing, ticket, inside;
{
  while (!done) {
    call Lock(0, 1);
    inside := 0;
    assert inside == 0;
    ticket[0] := 0;
  }
}

procedure main()
  modifies choosing, ticket, inside, done;
{
  choosing[0] := false;
  choosing[1] := false;
  ticket[0] := 0;
  ticket[1] := 0;
  done := false;
  async call Once();
  async call Competitor();
}
