//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong --stem 1 --lasso 1
//@ run: live --fairness weak --stem 1 --lasso 1
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// Lamport's bakery for two threads, each of which enters twice, which also bounds the tickets. A thread draws a ticket
// that is larger than all it sees, and the smaller ticket goes first. There is no fair infinite execution.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var choosing: [int]bool;
var ticket: [int]int;
var inside: int;

procedure Enter(me: int, other: int)
  modifies choosing, ticket, inside;
{
  var entries, seen: int;
  entries := 0;
  while (entries < 2) {
    choosing[me] := true;
    seen := ticket[other];
    ticket[me] := seen + 1;
    choosing[me] := false;
    while (choosing[other]) {
    }
    while (ticket[other] != 0 && (ticket[other] < ticket[me] || (ticket[other] == ticket[me] && other < me))) {
    }
    inside := me;
    assert inside == me;
    ticket[me] := 0;
    entries := entries + 1;
  }
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
